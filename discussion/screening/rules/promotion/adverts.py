"""Advertising, selling, and the usual spam of many languages."""

# ruff: noqa: RUF001 (letters and signs of other scripts)

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from discussion.screening.rules.parts import ADVERT, Hit
from discussion.screening.rules.source_text import SourceText, fold
from discussion.screening.rules.words import Clue, Marks, matches

FAMILIES = {
    "plain_spam": """
        limited seats, limited places, limited offer, limited time offer, special offer, promo code, promotion code,
        coupon code, discount code, use code, use my code, referral code, referral link, affiliate link, my
        referral, money back, buy now, order now, enrol now, enroll now, register now, sign up now, join now, book
        now, apply now, subscribe now, hurry up, act now, click here, click the link, click below, check out my,
        visit my, visit our, visit us, have a look at my website, look at my website, my website, our website, my
        page too, pass guarantee, guaranteed pass, pass guaranteed, 100 pass, guaranteed success, success
        guaranteed, guaranteed results, pass on first attempt guaranteed, lifetime access, first hour free, first
        lesson free, first session free, free consultation, free demo class, free webinar, one to one lessons, 1 to
        1 lessons, private lessons, i'm a coach, i am a coach, i'm a tutor, i am a tutor, certified trainer, our
        bootcamp, my bootcamp, our course, our courses, our academy, our institute, our trainers, our practice
        tests, our mock exams, our students, my ebook, my e book, my udemy, our team of experts, we are offering,
        best institute, training institute, online classes, weekend batch, weekend class, live class, live classes,
        spring promotion, summer sale, black friday, flash sale, for the price of one, cheapest price, affordable
        price, reasonable price, free airdrop, airdrop, connect your wallet, your wallet, usdt, cryptocurrency, nft,
        presale, token sale, forex, trading signals, trading bot, passive income, side income, extra income,
        financial freedom, work from home, earn from home, earn money, make money, easy money, quick money, money
        online, invest with, investment plan, recovery expert, recover your funds, spell caster, love spell,
        jackpot, bet now, sports bets, free spins, slots online, slot online, online slot, cheap pills, without
        prescription, viagra, cialis, lose weight, male enhancement, escort, escorts, hot girls, sexy, onlyfans,
        backlinks, backlink, guest post, guest posts, rank on google, seo services, seo service, seo agency, seo
        expert, search engine ranking, buy followers, need followers, instagram followers, youtube subscribers,
        tiktok followers, more followers, real followers, likes and followers, web design services, payday loan,
        loan offer, loans available, need a loan, urgent loan, credit repair, cash app, free gift, essay writing,
        essay writer, assignment help, homework help, write your essay, write your assignment, resume writing, cv
        writing, fake degree, buy degree, buy certificate, emergency plumber, very informative for us, keep up the
        good work visit, i also write about, roof repair, accounts for sale, buy accounts, vouchers for sale, cheap
        voucher, cheap vouchers, discounted voucher, exam voucher for sale, free trial accounts, trial accounts,
        giveaway, limited spots, spots left, seats left, places left, seats are limited, today only, dm for, dm me
        for price, whatsapp us, call us, your first month, promo codes, don't miss out, crypto trading, crypto
        investment, crypto signals, free crypto, invest in bitcoin, buy bitcoin, earn bitcoin, free bitcoin, bitcoin
        trading, online casino, casino bonus, best casino, betting tips, betting site, rank 1 on, rank 1 in, rank on
        search, double your money, double your income, our coaching, new batch starts, batch starting, visit my
        page, visit my site, visit my website, my services, seo audit, free casino, lottery winner, hire a hacker,
        contact a hacker, plumber near me, repair near me, roofer near me, cheap flights to, verified accounts for
        sale, free shipping, book your seat, book your slot, reserve your seat, 100 guaranteed, guaranteed 100,
        without studying, without any study, no study needed, no exam needed, use coupon, with coupon, coupon,
        essays written, cheap essays, recover my money, recovered my money, helped me recover, recover lost, recover
        my lost, get certified without, become certified without, certificate without, pass without, buy your
        certificate, original certificate, registered certificate, exam vouchers, sell vouchers, on vouchers,
        hosting offers, offers for web hosting, houses for sale, i sell, i give lessons, our tutors, our mentors, my
        youtube, hire me, hire us, fair price, few places left, few seats, save your place, save your seat, secure
        your seat, buy one get one, days free, get 30 free, fill in the survey, fill out the survey, win an iphone,
        you can win, free iphone, loans from, need cash, cash fast, bet on football, bet on sports, bet on horses,
        sports betting, get rich, trading robot, cheap watches, your followers, buy google reviews, google reviews,
        your thesis, your dissertation, your assignments, kilos in, slimming, mine coins, your degree, without
        exams, without an exam, demo class, demo session, free demo, best institute for, best training for, best
        bootcamp, best coaching, best academy, wrote an ebook, my new book, my new course, new video course, video
        course, course bundle, below official price, below the official, official price, sell exam, download our
        app, get our app, install our, worth every cent, worth every penny, best investment, life changing, changed
        my life, 24 7 support, satisfaction guaranteed, ends tonight, offer ends, special price, first come, free
        ebook, free pdf, free guide, free consultation call, free coins, free money, win big, huge profits, daily
        profit, daily profits, returns guaranteed, guaranteed returns, guaranteed income, cheap hosting, cheap
        followers, cheap likes, designer bags, my shop, our shop, check my blog, my blog, read my blog, my homepage,
        my webpage, our webpage, my newsletter, our newsletter, placement guarantee, job guarantee, job placement,
        interview support, proxy interview, resume service, work visa, earn up to, contact us today, dm for price,
        dm for details, dm for more, message for details, message for price, comment interested, comment info, get
        10 euro, sign up with my, register with my, join with my, replica watches, replica bags, replica quality""",
    "foreign_spam": """
        dinero facil, gana dinero, ganar dinero, gane dinero, dinero desde casa, dinero rapido, dinero extra,
        ingresos extra, ingresos pasivos, credito rapido, tragamonedas, ruleta, giros gratis, bono de bienvenida,
        suma seguidores, comprar seguidores, criptomonedas, haz clic, entra ya, compra ya, oferta limitada, ultimas
        plazas, plazas limitadas, inscribete ya, curso online con descuento, envio gratis, hazte rico, ganhe
        dinheiro, ganhar dinheiro, dinheiro facil, dinheiro em casa, renda extra, bonus de boas vindas, rodadas
        gratis, cassino, clique em, clique aqui, clique no link, compre agora, vagas limitadas, jogo do tigrinho,
        tigrinho, geld verdienen, schnell geld, geld von zu hause, nebenverdienst, nebenjob, passives einkommen,
        kredit ohne, sofortkredit, schufa, jetzt bestellen, jetzt anmelden, jetzt kaufen, jetzt sichern, jetzt
        klicken, hier klicken, bestehensgarantie, bestehen garantiert, garantiert bestehen, rabattcode,
        gutscheincode, angebot nur heute, gewinnspiel, gewinne jetzt, freispiele, online casino, potenzmittel,
        abnehmen, kostenlos testen, reich werden, gunstig kaufen, fuhrerschein kaufen, zertifikat kaufen,
        zertifikate kaufen, gagner de l'argent, gagnez de l'argent, argent facile, revenu passif, revenus passifs,
        credit rapide, pret rapide, pret entre particuliers, offre de pret, rachat de credit, paris sportifs,
        cliquez ici, cliquez sur, offre limitee, places limitees, code promo, inscrivez vous vite, marabout, retour
        d'affection, tours gratuits, bonus de bienvenue, perdre du poids, formation cpf, livraison gratuite,
        guadagna, guadagnare, soldi facili, soldi da casa, trading automatico, trading online, posti limitati,
        scommesse, clicca qui, clicca su, iscriviti ora, giri gratis, bonus di benvenuto, compra ora, offerta
        limitata, dimagrire, para kazan, para kazanin, evden para, ek gelir, bahis, canli bahis, deneme bonusu,
        casino siteleri, uygun fiyat, hemen tikla, tiklayin, iddaa, заработок, заработать, заработай, зарабатывай,
        зарабатываю, казино, ставки на, криптовалюта, крипта, пассивный доход, легкие деньги, удаленная работа,
        промокод, жми, подписывайся, подписывайтесь, выигрыш, накрутка, продвижение сайтов, интим, zarabiaj,
        zarobek, zarobki, zarabianie, pozyczka, pozyczki, chwilowka, kasyno, zaklady, kliknij, darmowe spiny, bez
        bik, snel geld, geld lenen, gokken, gratis spins, klik hier, kortingscode, bijverdienen, judi, slot gacor,
        gacor, togel, pinjaman, pinjaman online, klik link, daftar sekarang, bonus new member, penghasilan, uang
        mudah, kerja dari rumah, maxwin, modal kecil, dijamin lulus, harga murah, kiem tien, vay tien, vay nhanh, ca
        cuoc, nha cai, khuyen mai, viec nhe luong cao, bao dau, chung chi gia, lam bang, paise kamao, paisa kamao,
        paise kamaye, ghar baithe, kamai, tjana pengar, castiga bani, cazino, pujcka, vydelek, kolcson, keress
        penzt, rahaa kotoa, tjen penge, lan penge, tjen penger, يربح, اربح, قرض, قروض, كازينو, استثمار, خصم,
        تخفيضات, الربح, ربح المال, للبيع, اشترك, купить диплом, купить сертификат, comprar certificado, comprar
        certificados, zertifikat ohne, certificado sin examen, certificado sem prova, certificat sans examen, ставки
        на спорт, онлайн казино, apuesta y gana, gana hoy, apuesta ya, gane hoy, prestiti veloci, kostenlose coins,
        coins sichern""",
    "money": """
        dollar, dollars, usd, euro, euros, eur, bucks, pounds, rupees, inr, gbp, pricing offer, off until, discount,
        discounted, sale, cheap, cheapest, affordable, coupon, promo, promotion, voucher code, percent off, off
        today, off now, only 9, free hour, half off, donation, paypal, upi, venmo, cost only, pay only, for only,
        only, only dollars, a discount, price of one, at a discount""",
    "goods": """
        bootcamp, boot camp, course, courses, academy, coaching, coach, mentor, mentoring, mentorship, lesson,
        lessons, tutoring, tutor, webinar, workshop, masterclass, ebook, e book, practice tests, practice test, mock
        tests, mock exams, trainer, video course, study pack, notes pack, flashcards pack, frames, badge frame,
        consultation""",
    "call": """
        buy, order, book, register, enrol, enroll, sign up, signup, visit, subscribe, join, get yours, grab,
        purchase, use code, try it, check out, checkout, dm, whatsapp, claim, download, available, offer, offers,
        offering, hurry, guaranteed, guarantee, updated daily, lifetime, extra month, additional month, totally
        worth, highly recommend, recommend it""",
    "honest": """
        no need to pay, free course, vendor's, official, documentation, google's own, google cloud skills boost,
        commitment, committed use, sustained use, discounts apply, per gb, per hour billed, egress, billing,
        instance price, spot, preemptible, training data, training job, training set, model, service account,
        service accounts, class labels, classes are, pub sub, pubsub, subscription id, pull subscription, push
        subscription, billed, charge, charged, gpu, tpu, storage class, storage classes, cost of the exam, exam fee,
        per month, option, options, cloud run, endpoint, retailer, company, shop wants, i would bet, i'd bet,
        customers of""",
    "praise": """
        thanks to, all thanks to, thank to, with the help of, because of, credit to, credits to, grateful to, big
        thanks to, i recommend, recommend, gracias a""",
    "helper": """
        mr, mister, mrs, ms, miss, dr, doctor, prof, coach, sir, madam, expert, hacker, agent, trader, guru, tutor,
        mentor, trainer""",
    "ask_helper": """
        contact, ask him, ask her, reach, write him, write to him, write to her, message, help you, helps you, can
        help, for help, best, email, whatsapp, reach out, help today, recommend him, recommend her""",
    "friend": """
        a friend showed, friend showed me, showed me, told me about, found, discovered, came across, stumbled, happy
        customer, satisfied customer, not paid by, i'm not paid, not affiliated, changed my life, game changer, life
        saver""",
    "foreign_weak": """
        prestamo, prestamos, credito, creditos, descuento, casino, bonus, kredi, kredit, kredite, кредит, кредиты,
        скидка, скидки, купить, рублей, гарантия, бонус, недорого, заработка, rabatt, lucro, investissement,
        abonnes, investi, prestito, prestiti, sconto, desconto, emprestimo, emprestimos, apostas, apuestas,
        seguidores, lening, korting, promocja, rabat, murah, jasa, situs, indirim, kupon, yatirim, bitcoin,
        криптовалюта, ставки, переходи, переходите, займ, займы, доход, диплом, takipci, rendita, gutschein,
        gutscheine, certificado, certificados, zertifikat, diploma, diplomas, curso, kurs, formation, corso,
        seminar, nachhilfe, pret, penge, bani, penzt, paise, sasta, kredyt, pozyczki, thu nhap, giam gia, pozyczka,
        lan, penize, подработка, курс, курсы, followers, gana, ganhe, verdiene, geld, dinero, dinheiro, soldi,
        argent, деньги, pieniadze, para, uang, trafik, kunden""",
    "foreign_call": """
        jetzt, sofort, hier klicken, haz clic, clic, clica, clique, cliquez, clicca, gratis, kostenlos, gratuit,
        gratuitement, ucretsiz, bedava, entra, ora, subito, hemen, sekarang, срочно, быстро, жми, schnell, rapido,
        facil, facile, leicht, einfach, garantiert, garantie, garantizado, garantizada, garantido, garantito,
        garanti, ohne prufung, ohne schufa, sin examen, sin aval, sin requisitos, sem consulta, sans justificatif,
        senza, bez, без, anmelden, bestellen, kaufen, compra, compre, comprar, acheter, acquista, bestel, koop,
        registrate, inscribete, inscreva, inscrivez, iscriviti, daftar, aproveite, aprovecha, profitez, approfitta,
        visita, visite, besuche, besuchen, ziyaret, kunjungi, odwiedz, заходи, заходите, пишите, звоните, переходи,
        desde casa, em casa, a casa, von zuhause, evden, из дома, promo, oferta, angebot, offre, offerta, teklif,
        promocion, al dia, por dia, pro tag, al mese, al mes, par mois, diarios, diarias, taglich, в день, в месяц,
        gunde, ogni giorno, todos los dias, todos os dias""",
}
NEAR = 90  # characters between a price and what is sold
CLUES = (
    Clue(("plain_spam",), unless=("honest",), around=3),
    Clue(("foreign_spam",)),
    Clue(("foreign_weak", "foreign_call"), within=8),
    Clue(("money", "goods", "call"), within=22, unless=("honest",), around=6),
    Clue(("praise", "helper", "ask_helper"), within=60),
)
_AMOUNT = re.compile(
    r"(?:[$€£₹¥₽₺₿]\s?\d|(?<![\w.,])\d[\d.,]{0,12}\s?k?\s?(?:[$€£₹₽₺]|usd|eur|euros?|dollars?|bucks|pounds|rupees"
    r"|rs\b|inr|reais|rub|руб\w*|zl|tl|lira)(?!\w))"
)
_PERCENT_OFF = re.compile(
    r"\b\d{1,3}\s?(?:%|percent)\s?(?:off\b|on all|on every|less|cheaper|discount|rabatt|descuento"
    r"|desconto|de reduction|sconto|indirim|скид\w*)\b"
)
_EARNINGS = re.compile(
    r"\b(?:i|we|you|he|she|sister|brother|friend|people|they|students?|can|could)\s(?:can |could |now |already "
    r"|easily |even )?(?:make|makes|made|earn|earns|earned|making|earning)\s(?:\w+\s){0,2}(?:[$€£]\s?)?"
    r"\d[\d.,]{0,12}\s?k?\s?(?:[$€£]|usd|eur|euros?|dollars?|bucks|pounds)?\s?(?:a|an|per|/|each|every"
    r"|in)\s?(?:a\s)?(?:hour|day|week|month|night|one day|day)\b"
    r"|\b(?:i|we) (?:made|earned|won) (?:over |about |more than )?(?:[$€£]\s?\d|\d[\d.,]{0,12}k?\s?(?:[$€£]"
    r"|dollars?|euros?|bucks|usd|eur))"
    r"|\b(?:earn|make|made|income|salary|profit|paid|verdien|gana|guadagn|gagn|ganh)\w*[^.\n]{0,30}?\d[\d.,]{0,12}k?\s?"
    r"(?:[$€£]|dollars?|euros?|bucks|usd|eur)\s?(?:/|a|per|each|every|al|pro|par|por|am|im)\s?(?:hour|day|week"
    r"|month|mese|mes|giorno|dia|tag|monat|jour|mois)\b"
)
_ONLY_PRICE = re.compile(
    r"\b(?:only|just|for only|for just|from just|nur|solo|seulement|apenas|sadece)\s(?:[$€£₹]\s?\d[\d.,]{0,12}"
    r"|\d[\d.,]{0,12}\s?(?:[$€£₹]|usd|eur\b|euros?|dollars?|bucks|rupees|rs\b))"
    r"|(?<![\w.,])\d[\d.,]{0,12}\s?(?:followers|likes|subscribers|views) for\b|\bfor \d+ (?:bucks|dollars?|euros?)\b"
)
_TECHNICAL_PRICE = re.compile(
    r"\b(?:per|/|a)\s?(?:gb|gib|tb|tib|node|vcpu|hour|month|million|query|queries|request|requests|operation"
    r"|character|image)|\bbudget\b|\bcosts?\b|\bbilled\b"
)
_WITHOUT_SPACES = re.compile(
    fold(
        "赌博|博彩|贷款|赚钱|彩票|兼职|代写|发票|优惠|加微|微信|私聊|加我|代办|办证|刷单|色情|返利|免费领|扫码|副業|稼げ|稼ぐ|儲か|無料登録|今すぐ登録|クリック|お得|激安|카지노|대출|수익|토토"
        "|도박|무료 ?체험|클릭|부업|상담|رهان"
        "|พนัน|สล็อต|เงินกู้|บาคาร่า|หารายได้"
    )
)

_IN_OTHER_SCRIPTS = tuple(
    re.compile(fold(words))
    for words in (
        "考试|考題|考题|试题|試題|认证|認證|证书|證書|答案|題庫|题库|試験|問題|解答|資格|합격|시험|문제|자격증|परीक्षा|प्रश्न|सर्टिफिकेट|डिग्री|पेपर|"
        "اختبار|امتحان|اسئلة|أسئلة|شهادة|ข้อสอบ|ใบรับรอง|מבחן|שאלות|תעודה|آزمون|سوالات|مدرک",
        "加|联系|聯繫|出售|卖|賣|微信|保证|保證|便宜|优惠|电话|私|购买|購買|有售|提供|販売|売り|連絡|購入|格安|保証|譲り|판매|연락|카톡|구매|보장|팝니다"
        "|संपर्क|कॉल|खरीद|बेच|उपलब्ध|गारंटी|व्हाट्सएप|पास|للبيع|تواصل|اتصل|واتساب|ضمان|شراء|متوفر|احصل|ขาย|ติดต่อ|ไลน์|รับประกัน|ทักมา"
        "|למכירה|צור קשר|וואטסאפ|מובטח|فروش|تماس|خرید|تضمین",
    )
)
_LURES = re.compile(
    fold(
        "日入|月入|贷|赚|棋牌|娱乐城|投资|收益|粉丝|副业|在线赌|借钱|網賺|投資|儲け|収入|借金|出会い|アフィリエイト|お金|대출|투자|수익|바카라|슬롯|먹튀|팔로워|"
        "पैसे|कमाए|कमाएं|लोन|घर बैठे|निवेश|सट्टा|اموال|فلوس|الاستثمار|تداول|قرض|كازينو|متابعين|เงิน|คาสิโน|หวย|ลงทุน|กู้"
        "|הלוואה|כסף|קזינו"
        "|درآمد|وام|شرط بندی|заробіток|казіно"
    )
)


def adverts(source: SourceText, marks: Marks) -> Iterator[Hit]:
    """What sells, lures or praises for money."""
    for clue in CLUES:
        for found in matches(clue, marks):
            yield Hit(ADVERT, *source.span(found.start, found.end))
    if not source.original.isascii() and all(each.search(source.prose) for each in _IN_OTHER_SCRIPTS):
        yield Hit(ADVERT, *source.span(0, len(source.prose)))
    for pattern in (_EARNINGS, _WITHOUT_SPACES, _LURES):
        for match in pattern.finditer(source.prose):
            yield Hit(ADVERT, *source.span(*match.span()))
    for match in _ONLY_PRICE.finditer(source.prose):
        if not _TECHNICAL_PRICE.search(source.prose[match.start() : match.end() + 20]):
            yield Hit(ADVERT, *source.span(*match.span()))
    if not marks.get("honest"):
        yield from _offers(source, marks)


def _offers(source: SourceText, marks: Marks) -> Iterator[Hit]:
    """A price or a discount near what is sold, or near the call to buy it."""
    goods, calls = ([mark.start for mark in marks.get(family, ())] for family in ("goods", "call"))
    for match in _PERCENT_OFF.finditer(source.prose):
        if _near(match.start(), goods) or _near(match.start(), calls):
            yield Hit(ADVERT, *source.span(*match.span()))
    for match in _AMOUNT.finditer(source.prose):
        if _near(match.start(), goods) and _near(match.start(), calls):
            yield Hit(ADVERT, *source.span(*match.span()))


def _near(place: int, places: list[int]) -> bool:
    """Whether one of the places, which are in order, is near this one."""
    at = bisect_left(places, place - NEAR)
    return at < len(places) and places[at] <= place + NEAR
