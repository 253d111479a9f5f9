"""Email addresses, telephone numbers and messengers: ways to take a conversation away from the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discussion.screening.rules.parts import EMAIL, MESSENGER, PHONE, Hit
from discussion.screening.rules.source_text import SourceText
from discussion.screening.rules.words import Clue, Marks, matches

FAMILIES = {
    "messenger": """
        telegram, telegramm, telega, whatsapp, watsapp, whatsap, wattsapp, whats app, watts app, wechat, weixin,
        viber, kakaotalk, kakao, snapchat, threema, zalo, wapp, whatsup, telegran, вотсап, ватсап, телеграм,
        телеграмм, телега, тг, tele gram, telgram, telagram, telegrm, t gram, dis cord, discrod, tele gram at,
        whatapp, wats app, wassap, wasap, wsp, wa me, we chat, snap chat, insta gram, instagramm, skyp, sky pe, vibr,
        discord, skype, instagram, insta, matrix id, element id, session id is, mastodon, bluesky, facebook,
        clubhouse, insta id, on signal, signal group, signal me, via signal, signal app, signal channel""",
    "short_messenger": """
        tg, ig, wa, fb, snap, line id, kik, icq, qq, slack, discord, skype, instagram, insta, facebook, linkedin,
        tiktok, messenger, wp, zap, signal me, youtube, twitter""",
    "reach": """
        me, my, add, join, group, groups, channel, invite, search, find, write, contact, username, user, handle, dm,
        pm, same name, nick, nickname, ask, link, number, message, chat, us, our, follow, follow*, ping, hit, reach,
        mein, meine, mir, gruppe, grupo, canal, groupe, mi, meu, nosotros, unete, escribe*, schreib*, anschreiben,
        ajout*, ajoute*, suche*, busca*, gruppo, scrivi*, grup, grupa, grubu, katil*, канал, группа, чат, пиши*, наш*,
        people, members, subscribers, server, request, access, start*, made, moved, study, together, daily, evening""",
    "joining": """
        add, join, our, my, me, invite, dm, ping, follow, find, @, id, group, write, hit, add me, my discord, group
        chat, search, handle, username, under, us, connect, i'm on, im on, i am on, we are on, reach, link""",
    "not_chat": """
        bot, webhook, webhooks, notification, notifications, notify, notifies, alert, alerts, alerting, api, company,
        app like, like, signal to, mobile, customers, users want, sends, integration, integrations, policy, stream""",
    "away": """
        dm me, pm me, inbox me, email me, mail me, message me, text me, contact me, msg me, whatsapp me, write me,
        write to me, write privately, privately, private message, private messages, in private, by dm, via dm, in dm,
        in dms, my dms, my dm, dms open, dm for, pm for, dm to, send dm, send a dm, send me a dm, drop a mail, shoot
        me a, reach me, reach out to me, hit me up, hmu, get in touch, contact us, call us, ping me on, ping me at, my
        inbox, see my profile, my bio, in bio, follow me, follow my, my channel, my youtube, my telegram, my linkedin,
        my insta, my blog, my newsletter, my discord, my server, our discord, our telegram, our channel, our group,
        our server, find me on, find me at, study group link, invite link, group link, group chat, chat group, por
        privado, al privado, en privado, mensaje privado, escribeme, escribanme, contactame, contactenme, mandame un,
        no privado, me chama, chama no, chame no, em privado, en prive, contactez moi, ecrivez moi, mp moi, per pn, pn
        an mich, schreib mir, schreibt mir, meldet euch, melde dich bei mir, bei interesse, scrivimi, in privato,
        contattami, scrivetemi, isteyen yazsin, ozelden, ozelden yaz*, ulasin, dm atin, пиши в, пишите в, личку, в
        личку, в лс, обращайтесь, napisz do mnie, na priv, pisz na, hubungi*, japri, chat saya, lien he, inbox minh,
        ib minh, stuur me, prive bericht, message prive, add me on, add me at, add me to your, send me a mail, send me
        mail, send me an e mail, send me an email, send me your email, drop me an email, drop me a mail, drop me a dm,
        drop me a line at, drop me a message, schick mir, check my profile, on my profile, drop your number, your
        phone number, send your number, share your number, leave your number, exchange numbers, drop your mail, drop
        your email, send me your mail, send your mail, send your email, leave your email, leave your mail, share your
        email, comment your email, give me your number, give me your email, your whatsapp, my whatsapp, your telegram,
        write me an email, write me a message, write me a mail, write me an e mail, my email, my e mail, my mail, my
        phone number, let's connect, connect with me, talk outside, talk off, over zoom, via zoom, on zoom, my
        calendly, join our, join my, join us, join the group, join this group, private group, private channel, private
        chat, secret group, closed group, study group on, same username, same handle, my handle, my username, my
        nickname, my number is, on my cell, look me up, look for me on, find me there, catch me on, catch me at, come
        to our, come join, come chat, our chat, qr code, same name there, same name here, same nick, invite code, chat
        with me, chat me, talk to me on, reach out on, reach out via, reach out to, contact via, contact on, contact
        through, contact at, write me on, write me at, write me there, write me over, write me under, ask me on, ask
        me there, over at my, msg me on, hmu on, text on, ring me, call me on, call me at, give me a call, give me a
        ring, phone me, skype me, telegram me, ping my, my handle there, on my server, our study server, study server,
        join here, join via, group for serious, serious group, group of serious, daily group, whats group, w app,
        whats ap, wa group, tg group, tg channel, fb group, facebook group, facebook page, insta page, instagram page,
        linkedin group, telegram group, telegram channel, whatsapp group, whatsapp channel, discord server, discord
        group, discord channel, slack group, slack workspace for, skype group, signal group, line group, viber group,
        wechat group""",
    "staying": """
        in private ip, private google, private ip, private subnet, private network, private cluster, contact me sans,
        join us east, mask, masks, email column, send an email alert, send email alerts, send an email to the, send
        email notifications, wants, private channel between, notification, alert, alerts, app, application, function,
        customer, customers, user, users, my number is wrong, my number was, join my table, join the group by, text me
        no""",
    "handle_cue": """
        search, find, add, follow, insta, ig, tg, telegram, dm, handle, username, user, contact, write, message, im,
        my, ping, reach, twitter, x, tiktok, snap, skype, discord, under""",
}
CLUES = {
    MESSENGER: (
        Clue(("messenger", "reach"), within=52, unless=("not_chat",), around=2),
        Clue(("short_messenger", "joining"), within=3, unless=("not_chat",), around=3),
        Clue(("away",), unless=("staying",), around=1),
    )
}
_CODE_ADDRESS = re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}")
_ADDRESS = re.compile(
    r"(?<![\w.+%@/-])[\w.+%-]{1,64}\s?(?:@|\(@\)|\[@\]|\{@\})\s?(?:[^\W_](?:[\w-]{0,62})\.){1,6}[^\W\d_]{2,24}"
)
_AT = (
    r"(?:@{1,3}|\s?[(\[{<*_\"'|~,-]{1,2}\s?(?:at|a|at sign|the at sign|@|arroba|chiocciola)\s?[)\]}>*_\"'|~,-]{1,2}\s?"
    r"|\s{1,3}(?:at|arroba|chiocciola|klammeraffe|собака)\s{1,3}|\s{1,2}@\s{1,2})"
)
_DOT = (
    r"(?:\.|\s?[(\[{<*_\"'|~,-]{1,2}\s?(?:dot|punkt|punto|point|\.)\s?[)\]}>*_\"'|~,-]{1,2}\s?"
    r"|\s{1,3}(?:dot|punkt|punto|ponto|point|точка)\s{1,3}|\s{1,2}\.\s{1,2})"
)
_SPELT = re.compile(
    rf"(?<![\w.+-])[\w.+-]{{2,64}}{_AT}[\w-]{{2,63}}(?:{_DOT}[\w-]{{2,63}}){{0,3}}{_DOT}[a-z]{{2,10}}\b"
)
_PROVIDERS = (
    r"g\s?mail|googlemail|gee\s?mail|yahoo|hotmail|outlook|proton(?:mail)?|icloud|gmx|web\.de|mail\.ru"
    r"|yandex|aol|163|126|rediffmail|ymail|zoho|tutanota"
)
_AT_PROVIDER = re.compile(
    r"\b[\w.]{3,40} (?:at|on) (?:the |my )?(?:g ?mail|hot ?mail|yahoo|proton ?mail)\b|"
    rf"(?<![\w.+-])(?!(?:work\w*|look\w*|used?|people|email|account|hosted|log\w*|sign\w*|team|spam"
    rf"|filter)\b)[\w.+-]{{3,64}}"
    rf"\s?(?:{_AT})\s?(?:{_PROVIDERS})\b"
    rf"|(?<![\w.+-])(?=[a-z_.]{0, 30}[\d_.])[\w.]{4, 40}\s(?:gmail|yahoo|hotmail)\b|\bmy (?:\w+ )?(?:g?mail"
    rf"|e-?mail)(?: address| id| adress)? (?:is|:)|\b(?:on|via|at) my (?:g?mail|e-?mail)\b"
)
_ONLY_SPACED = re.compile(r"(?<!\S)(?:\S ){7,}\S(?!\S)")
_MAILTO = re.compile(
    r"\bmailto\s?:|\b(?:e-?mail|mail|g-?mail|address|adresse|inbox|correo|posta)\b[^\n]{0,90}"
    r"\b(?:dot|underscore|at sign|arroba|chiocciola|klammeraffe)\b"
    r"|\bat (?!(?:this|that|some|one|which|what|any|no|the|every|each|a|an|its|my|your)\b)[\w-]{2,40}"
    r" (?:point|dot|punkt|punto|ponto) [a-z]{2,12}\b|[\w.]{2,40}@@[\w.]{3,40}"
    r"|(?<!\w)(?:[a-z\d] ){3,20}(?:at|@) (?:[a-z\d] ){2,20}"
    r"|\b(?:e-?mail|mail|write|text|drop) (?:me|us)\b[^\n]{0,60}(?:@|\bat\b)"
    r"|\b(?:first name|last name|surname|my name|nickname)\b[^\n]{0,40}"
    r"(?:@|\bat (?:gmail|yahoo|outlook|hotmail|proton))"
)
_PRINCIPAL = re.compile(
    r"(?:user|group|serviceaccount|principal|principalset|domain|member|git|root|ssh|admin)[:=\"' ]{0,3}\Z"
    r"|--?[\w-]+[= ]\Z"
)
_SERVICE = re.compile(r"[^\s@]+@(?:[\w-]+\.)*(?:gserviceaccount\.com|iam|internal|local)\b|^git@|^root@")

_NUMBER = re.compile(r"(?<![\w.,:/@#=+-])(?:\+|\(\+|00)?\(?\d(?:[ ().\-/_*•·~|]{0,3}\d){6,18}(?![\w:])(?!\.\d)")
_CUE = re.compile(
    r"\b(?:(?:call|ring|text|phone|dial|contact) (?:me|us|him|her|at|on|no|number|now)|call(?=\W*\Z)|phone|tel"
    r"|telephone|mobile|my cell|cell(?=:)|sms"
    r"|whats?\s?app|watsapp|wp|wa|wapp|my (?:number|no|nr)|ph|phn|mob|mobil|mob no|cell no|contact number"
    r"|(?:number|no) (?:is|:)|viber|telegram|imo|zap|reach me|zalo"
    r"|handy(?:nummer|nr)?|anruf\w*|ruf mich\w*|llama(?:me|r|nos|d)|movil|telefono|celular|ligue|appele[zr]"
    r"|chiama\w*|telefon\w*|тел|телефон\w*|звони\w*|номер|ping|digits|contact|evenings|ask for|reach|text)\b|[☎📞📱📲]"
)
_NEIGHBOUR = 45
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?[./-]\d\d?[./-]\d{2,4}")
_APART = re.compile(r"\d(?:[ .\-*•·~|]{1,3}\d)+")
_NATIONAL_ANY = re.compile(r"\(?\d{3}\)?[^\d]{1,3}\d{3}[^\d]{1,3}\d{4}")
_STAMP = re.compile(r"1[4-9]\d{8}\Z|\d+000\Z|2147483|4294967|0\d{3}-|0000|1000")
_NUMBER_OF = re.compile(r"(?:\bid|number|project|account|case|ticket|row|rows|bytes|seed)\W{0,3}\Z")
_LETTER_DIGITS = re.compile(r"(?<![\w./-])(?:[\doil]{2,6}[ .\-]{0,2}){2,5}(?![\w/-])")
_NOT_BITS = re.compile("[2-9]")
_ODD_GAP = re.compile(r"[/*._]")
_GROUPS = re.compile(r"\d+")
_NATIONAL = re.compile(r"\(?\d{3}\)?[\s.\-]\d{3}[\s.\-]\d{4}|\(\d{2,5}\)\s?\d[\d\s.\-/]{5,}")
_ORDINARY = re.compile(r"\d{1,3}(?:[ ,.]000)+|(?:\d{1,3}\.){3}\d{1,3}|[01](?:[\s,][01])+|\d(?:\s\d)+")
_DIGIT_WORDS = re.compile(
    r"\b(?:(?:plus|zero|nought|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|hundred|null|eins|zwei|drei"
    r"|vier|funf|sechs|sieben|acht|neun"
    r"|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|un|deux|trois|quatre|cinq|sept|huit|neuf|due|tre|quattro|cinque|sei|sette|otto|nove|um|dois"
    r"|quatro|sete|oito|sifir|bir|iki|uc|dort|bes|alti|yedi|sekiz|dokuz|ноль|один|два|три|четыре|пять|шесть|семь"
    r"|восемь|девять|\d{1,4})\b[\s,.\-()]{0,3}){5,}"
)
_SPELT_DIGIT = re.compile(r"[^\W\d_]{2,}")
_KEY_DIGITS = re.compile(r"\d")


def contacts(source: SourceText, marks: Marks) -> Iterator[Hit]:
    """Every email address, telephone number and messenger."""
    for start, end in _emails(source):
        yield Hit(EMAIL, *source.span(start, end))
    for start, end in _phones(source.prose):
        yield Hit(PHONE, *source.span(start, end))
    for clue in CLUES[MESSENGER]:
        for found in matches(clue, marks):
            yield Hit(MESSENGER, *source.span(found.start, found.end))
    for match in _HANDLE.finditer(source.prose):
        near = source.prose[max(0, match.start() - _NEIGHBOUR) : match.end() + 25]
        if _HANDLE_CUE.search(near):
            yield Hit(MESSENGER, *source.span(*match.span()))
    for match in _ID.finditer(source.prose):
        yield Hit(MESSENGER, *source.span(*match.span()))


_HANDLE = re.compile(r"(?<![\w`@.])@[a-z][\w.]{3,40}")
_HANDLE_CUE = re.compile(
    r"\b(?:search|find|add|follow|insta\w*|ig|tg|telegram|dm|pm|handle|username|contact|message|ping|twitter"
    r"|tiktok|snap\w*|skype|discord"
    r"|tele|channel|join|reach|писать|пиши\w*)\b"
)
_ID = re.compile(
    r"\btele gram\b|"
    r"\b(?:telegram|whatsapp|wechat|weixin|discord|skype|line|insta(?:gram)?|ig|tg|wa|snap(?:chat)?|signal|viber"
    r"|kik|zalo|qq|vx|twitter|fb|tele)"
    r"(?: ?id| ?name| ?handle)?\s?[:=>-]{1,2}>?\s?@?[\w.+]{3,40}|\b(?:t|wa|m)\.me/\S+|\b\w{2,20}#\d{4}\b|\b(?:qq"
    r"|wechat|icq|line id|tgram|telegram|whatsapp|skype|discord|zalo)[ :]{1,3}@?[a-z_.]{0,20}[\d_][\w.]{3,30}"
    r"|\btgram\b"
    r"|\b(?:tele ?gram|telgram|telegram|tg|whats ?app|wechat|discord|skype?|insta(?:gram)?|ig|snap(?:chat)?|signal"
    r"|viber|kik|threema|matrix|line|tiktok|twitter|facebook|fb)\b[^\n.]{0,25}?(?:@|👉|→|➡|=>|->"
    r"|(?:user ?name|handle|nick\w*|id|tag|name|name's)\W{1,4}\w|[:=]\s?[a-z]+[._\d#]\w|\s[a-z]{2,}[._#]\w{2,})"
    r"|\b(?:same|my|our|his|her) (?:user ?name|handle|nick\w*|screen ?name|tag)\b"
)


def _emails(source: SourceText) -> Iterator[tuple[int, int]]:
    """Email addresses, plain, spelt out or spaced out. In code only those that are not an account of the platform."""
    for pattern in (_ADDRESS, _SPELT, _AT_PROVIDER, _MAILTO):
        for match in pattern.finditer(source.prose):
            address = match[0].replace(" ", "")
            if not _SERVICE.search(address) and not (pattern is _SPELT and _is_speech(match[0])):
                yield match.span()
    for match in _ONLY_SPACED.finditer(source.prose):
        joined = match[0].replace(" ", "")
        if _ADDRESS.search(joined):
            yield match.span()
    for start, end in source.code:
        inside = source.plain[start:end].strip("`").strip()
        if _CODE_ADDRESS.fullmatch(inside) and not _SERVICE.search(inside):
            yield start, end


def _is_speech(match: str) -> bool:
    """Whether words around an "at" are a sentence: no sign of an address but a full stop."""
    return not re.search(r"@|\bdot\b|\bpunkt\b|\bpunto\b|\bponto\b|\bpoint\b|точка|[(\[{<*]", match) and " at " in match


def _phones(prose: str) -> Iterator[tuple[int, int]]:
    """Rows of digits that are built like a telephone number, or stand beside a word that says so."""
    for match in _NUMBER.finditer(prose):
        if _is_phone(prose, match):
            yield match.span()
    for match in _LETTER_DIGITS.finditer(prose):
        letters = len(re.findall("[oil]", match[0]))
        digits = len(_KEY_DIGITS.findall(match[0]))
        if letters and digits >= 5 and 9 <= letters + digits <= 14:
            yield match.span()
    for match in _DIGIT_WORDS.finditer(prose):
        if _digits_said(match[0]) >= 7:
            yield match.start(), match.start() + len(match[0].rstrip(" ,.-\n"))


def _digits_said(row: str) -> int:
    """The digits of a row of digit words and figures; nought where hardly any is a word."""
    said = len(_SPELT_DIGIT.findall(row))
    return said + len(_KEY_DIGITS.findall(row)) if said >= 3 else 0


def _is_phone(prose: str, match: re.Match[str]) -> bool:
    """Whether a row of digits is a telephone number rather than an amount, a date, a range or a time stamp."""
    row, cued = match[0], _cued(prose, match)
    digits = len(_KEY_DIGITS.findall(row))
    if _NUMBER_OF.search(prose[max(0, match.start() - 20) : match.start()]) and not _CUE.search(prose[: match.start()]):
        return False
    if _APART.fullmatch(row) and digits > 8 and _NOT_BITS.search(row):
        return True
    if (_DATE.search(row) and not (digits > 8 and cued)) or (_ORDINARY.fullmatch(row) and not cued):
        return False
    return _is_built_like_one(row, digits) or (7 <= digits <= 15 and cued)


def _is_built_like_one(row: str, digits: int) -> bool:
    """Whether the groups of a row of digits are those of a telephone number."""
    groups = _GROUPS.findall(row)
    international = row.startswith(("+", "(+"))
    bare = row.isdigit() and digits in (10, 11) and not _STAMP.match(row)
    area = 9 <= digits <= 14 and len(groups[0]) > 2 and groups[0].startswith("0") and "." not in row
    parted = (
        len(groups) in range(2, 8) and 10 <= digits <= 13 and not _ODD_GAP.search(row) and min(map(len, groups[1:])) > 1
    )
    if international:
        return 9 <= digits <= 15
    return bool(bare or area or parted or _NATIONAL_ANY.fullmatch(row) or _NATIONAL.fullmatch(row))


def _cued(prose: str, match: re.Match[str]) -> bool:
    """Whether a word for calling or a messenger stands near."""
    before = prose[max(0, match.start() - _NEIGHBOUR) : match.start()]
    after = prose[match.end() : match.end() + 20]
    return bool(_CUE.search(before) or _CUE.search(after))
