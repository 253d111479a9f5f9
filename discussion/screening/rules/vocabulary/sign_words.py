"""The words of the signs of adverts, insults and asking for votes, by family, with their points."""

FAMILIES = {
    "advert:strong:4": """
        crypto, cryptos, altcoin, altcoins, memecoin, meme coin, shitcoin, airdrop, presale, token launch, nft, nfts,
        eth, ethereum, btc, usdt, solana, dogecoin, doge, binance, coinbase, metamask, forex, trading bot, trading
        signals, signals group, copy trading, copy the trades, day trader, my broker, a broker, as a trader, casino,
        casinos, betting, bet365, jackpot, slots, sportsbook, roulette, poker, lottery, bonus on first, welcome bonus,
        deposit bonus, backlinks, backlink, dofollow, domain authority, guest post, guest posts, guest posting, seo
        agency, seo service, seo services, seo expert, seo package, link building, web agency, web agencies, web
        design, logo design, digital marketing, affordable websites, google ranking, rank higher, rank your, first
        page of google, first page on google, first page in, followers, subscribers, verified reviews, five star
        reviews, 5 star reviews, payday, loan, loans, loan approval, low interest, credit score, credit card debt,
        viagra, cialis, pills, keto, gummies, cbd, weight loss, lose weight, slimming, detox, testosterone, hair loss,
        essay, essays, assignment help, homework help, thesis, dissertation, escort, escorts, dating, singles,
        onlyfans, webcam girls, hot girls, sugar daddy, spell caster, psychic, rolex, money machine, passive income,
        side hustle, side income, financial freedom, get rich, work from home, from home, quick cash, easy cash, easy
        money, make money, making money, earn money, earning, recovery expert, funds recovered, recovered my, get your
        wallet, wallet restored, lost funds, got scammed, hire a hacker, ethical hacker, hacker, plumber, roofer,
        locksmith, movers, cleaning service, carpet cleaning, limousine, taxi service, real estate agent, villa,
        villas, apartments for rent, cheap flights, holiday deals, visa assistance, immigration, green card, iptv,
        streaming subscription, mod apk, cracked, keygen, license key, licence key, vpn deal, giveaway, free iphone,
        gift card, gift cards, invitation code, invite code, referral, referrals, affiliate, mlm, network marketing,
        investors, roi, invest, investing, investment opportunity, trade with""",
    "advert:medium:2": """
        earnings, ai bot, daily profit, percent daily, we train, partner, partners, first week free, first month free,
        first class free, week free, month free, money, paid course, for a fee, rates, discreet, delivery, our
        services, my services, wrote a book, wrote cvs, write cvs, write resumes, cvs, headshot, headshots,
        refurbished, turnaround, message her, message him, contact her, contact him, account manager, diabetes,
        arthritis, remedy, remedies, miracle, herbs, plug, shameless plug, i sent you, my stall, second hand, brand
        new, link in my, link in bio, link in profile, link in the bio, our shop, my shop, online shop open, shop now,
        selling, sell, sells, sold by, book a call, book a demo, book a session, schedule a call, free call, a code,
        code for, code at, simulator, trial, try it free, we build, we help, we provide, we deliver, we design, we
        sell, wholesale, factory, direct from, best quality, top quality, high quality, for readers, for members, 7
        day, 14 day, 30 day, mock interviews, interview coaching, interview prep, on me, on us, got me through, what
        got me, clap, medium articles, my medium, my articles, substack, win, winner, winners, play and, spin, spins,
        free spin, prize, prizes, binary options, staking, withdraw, withdrawal, coin will, this coin, this token, to
        the moon, moon, elon, explode, explodes, 100x, 10x, returns, broke, found a system, a system, my ex, ex back,
        brought back, herbal, cure, cured, dr, mr, weekend only, this weekend, tonight only, ultimate, proven, results
        in, in just, in only, students enrolled, early access, waitlist, waiting list, sponsor, collab, collaboration,
        partnership, promote, ads, advertising, marketing, growth, views, boost, grow your, increase your, improve
        your, transform your, unlock, exclusive, vip, membership, community of, signals, discount, discounts,
        discounted, promo, coupon, coupons, voucher, vouchers, early bird, cohort, bootcamp, boot camp, academy,
        institute, tutor, tutors, tutoring, mentor, mentoring, mentorship, coaching, coach, webinar, masterclass,
        workshop, subscribe, youtube, channel, podcast, newsletter, blog, vlog, ebook, e book, my book, my course, our
        course, our courses, udemy, coursera, skillshare, patreon, gumroad, etsy, amazon store, shopping, hiring,
        recruiting, recruiter, vacancy, vacancies, job offer, job opening, we are looking for, resume, resumes, cv,
        salary, remote job, premium, pro version, download the, half price, free shipping, shipping, t shirts, t
        shirt, merch, mugs, stickers, spots, seats, places left, few places, enrol, enroll, enrolment, enrollment,
        register, registration, sign up, signup, sign ups, order now, buy, buying, purchase, pay, visit, website,
        webpage, our page, my page, our site, my site, our team, our company, my company, our trainers, our students,
        our clients, my clients, clients, agency, agencies, consulting firm, consultancy, freelancer, freelance,
        corporate training, training in, placement, quote, sales, contact sales, half off, deal, deals, bargain,
        offer, special offer, limited, hurry, last chance, ends soon, until midnight, only today, days only,
        promotion, sponsored, profit, profits, income, earn, earned, earns, 12k, 10k, 5k, doubled, tripled, savings,
        money back, guaranteed, guarantee, cheap, cheaper, cheapest, affordable, costs less, worth every, best price,
        best prices, lowest price, price list, launching, launched, launch, just released, new series, my videos,
        videos, follow me, follow us, link below, in bio, my profile, beta testers, try our, try my, use my, use code,
        code is, with code, free trial of, lifetime, subscription, whatsapp, telegram, mention my name, scholarship,
        got me a job, landed a job, new job, success story, testimonial, call now, contact us, contact me, dm me,
        message me, ask me how, one on one, 1 on 1, hourly rate, per session, per lesson, per class, instant delivery,
        instant approval, no experience, no paperwork, no risk, risk free, no deposit, first deposit, amazing teacher,
        teacher is amazing, instructor is amazing, highly recommend, must have, game changer, our app, my app, this
        app, betting app, my tool, our tool, chrome extension, ai tool, tracker app, gadgets, laptops, for sale, on
        sale""",
    "advert:flattery:3": """
        wonderful article, great article, nice article, amazing article, informative article, useful article, good
        article, excellent article, great content, nice content, amazing content, good content, wonderful post,
        amazing post, nice post, great blog, nice blog, good blog, wonderful blog, useful information, valuable
        information, informative post, very informative, nice information, good information, keep posting, keep
        sharing, study blog, awesome article, awesome post, awesome blog, lovely post, nice site, great site, good
        site, nice website, great website, good website, wonderful site, this blog, your blog, your website, your
        article, this article, this blog post, great read, nice read""",
    "advert:weak:1": """
        voucher, bucks, for sharing, keep it up, keep up the, free, course, courses, app, available, sale, join,
        expert, experts, guys, amazing, awesome, best, job, jobs, contact, method, secret, honest, quick, instantly,
        instant, today, tonight, friends, dollar, dollars, euro, euros, eur, usd, pounds, rupees, off, percent off,
        money, cash, price, prices, worldwide, everyone, class, classes, lessons, lesson, training, trainer, teacher,
        teachers, students, videos, video, learn more, more info, details, info, info at, check out, check it, new,
        launch, look for, search for, now, start, starts, week, month, january, february, book, books, store,
        platform, site, page, link, team, review, reviews, certification, career, struggle, struggling, try, grab, get
        yours, yours, trusted, legit, original, premium, our, we offer, we're, offering, try out, stress, hobby""",
    "advert:technical:-4": """
        committed use, commitment, commitments, sustained use, spot, preemptible, per gb, per tb, egress, storage
        class, nearline, coldline, archive, billing, billed, free tier, free trial, credit, gpu hours, vm, vms,
        instance, instances, bigquery, bucket, dataset, model, models, prediction, predictions, recommendation,
        recommender, features, feature, endpoint, cloud run, pub sub, subscription name, push subscription, pull
        subscription, topic, pipeline, company, retailer, customers, customer, in the story, question, scenario,
        option, options, docs, documentation, vendor's, official, latency, regression, classifier, users, service
        account, iam, project, vpc, peering, requirement, requirements, the team, team has, company wants,
        classification, cost, costs of, training data, training job, quota, exam itself, skill badge, operational,
        managed, sales data, sales forecast, sales figures, lab""",
    "insult:noun:4": """
        idiot*, moron*, imbecil*, cretin*, dimwit*, halfwit*, nitwit*, dunce*, numpty, dumbass*, asshole*, arsehole*,
        bastard*, bitch*, wanker*, twat*, cunt*, motherfuck*, retard, retards, retarded, stupido*, tonto, bescheuert*,
        bekloppt*, behindert*, verblodet*, hirnlos*, spasti*, wichser*, arschloch*, trottel*, schwachkopf*, dummkopf*,
        vollpfosten, pendej*, gilipoll*, cabron*, imbecile*, mierda, puta, puto, hijo de, connard*, connass*, abruti*,
        debile*, ta gueule, ferme la, la ferme, ferme ta, merde, encule*, batard*, otario*, babaca*, burro, merda,
        filho da, cala a boca, stronz*, coglion*, deficient*, cretino, vaffanculo, cazzo, aptal*, salak*, gerizekal*,
        mal misin, идиот*, дебил*, тупой, тупые, тупица, придур*, дурак, заткнись, debil*, kretyn*, idiota*, zamknij
        sie, goblok, tolol, bodoh, bego, kampret, sukkel, mongool, halt die fresse, halt die klappe, fresse, scheiss*,
        scheiße, callate, cierra la boca, ignorante, ignorantes, inutil, inutiles, ridiculo, fuck*, fck*, shithead,
        bullsh*, wtf is wrong with, stfu, gtfo, kys, scumbag*, lowlife*, pea brain, peabrain*, trash brain, rat brain,
        smooth brain, smoothbrain, brain rot, braindead, brain dead, brainless, clown, clowns, loser, losers,
        simpleton*, buffoon*, ignoramus*, dipshit*, jackass*, dickhead*, douche*, prick, tosser*, bellend*, pillock*,
        muppet, muppets, plonker*, dumbo, knobhead*, noob, noobs, n00b, charlatan*, hypocrite*, liar, liars, crybaby,
        troll, trolls, pathetic, illiterate, imbecilic, halfwitted, nincompoop*, dolt, dolts, nutcase, psycho, weirdo,
        creep, scum, vermin, parasite, parasites, jerk, jerks, disgrace, laughing stock, laughingstock, nonce, incel,
        sheeple, karen, boomer, snowflake, know it all, wannabe*, windbag, armchair expert, keyboard warrior,
        degenerate*""",
    "insult:bad:2": """
        toilet, toilets, spoon, siblings, inbred, garden gnome, rock, plank, turnip, cabbage, lettuce, chicken,
        cockroach, slug, vegetable, my dog could, my dog would, my dog understands, my cat could, my cat understands,
        a fraud, total fraud, dumb, dumber, dumbest, stupid, stupider, stupidest, dense, dim, thick, clueless,
        ignorant, incompetent, arrogant, delusional, lazy, laziest, useless, worthless, hopeless, rubbish, garbage,
        trash, trashy, crap, crappy, bullshit, shit, shitty, embarrassing, embarrassment, laughable, ridiculous,
        disgusting, ugly, fat, childish, immature, worst, nonsense, deaf, drunk, stupidity, ignorance, arrogance,
        incompetence, doorknob, doorknobs, potato, houseplant, goldfish, toaster, brick, amoeba, monkey, monkeys,
        donkey, sheep, pig, ape, parrot, hamster, chimp, toddler, toddlers, kindergarten, five year old, 5 year old,
        six year old, ten year old, 10 year old, my grandma, my grandmother, my nan, a child, a kid could, brain,
        brains, iq, brain cells, brain cell, reading skills, reading comprehension, learn to read, cereal box,
        cornflakes, fool, fools, foolish, lame, smug, coward, cowards, cringe, cry, crying, whine, whining, whiner,
        whiners, shame, ashamed, shameful, fired, despise, kill, punch, slap, dreadful, dumm, blod, dumme,
        schwachsinn, mull, lacherlich, unfahig, keine ahnung, nul, nulle, nuls, pauvre type, pauvre con, ridicule,
        honte, verguenza, basura, asco, idiotez, vergogna, schifo, incapace, lixo, vergonha, cop, rezil, cahil, мусор,
        позор, бред, чушь, wstyd, smiec*, sampah, malu, lmao, rofl, clownish, moronic, idiotic, brainwashed, sucks,
        suck, screw, hell, damn, wtf, ass, arse, butt, loathe""",
    "insult:weak:1": """
        awful, horrible, sad, crazy, insane, mental, toxic, gross, blind, silly, hate, hated, joke, terrible,
        nonsense""",
    "insult:you:1": """
        oh look, expert, the expert, classic, you, you're, youre, your, yours, yourself, u, ur, ya, y'all, author,
        moderator, moderators, mods, admin, admins, he, she, he's, she's, they, whoever, who wrote, guy, dude, mate,
        bro, buddy, pal, kid, kiddo, genius, einstein, sherlock, smart guy, smarty, sweetie, darling, honey, boy, man,
        people, someone, somebody, everyone, everybody, nobody, this site, this page, this person, this thread, this
        author, du, dein, deine, ihr, euch, tu, toi, t'es, ton, ta, vous, eres, sos, tus, ti, sei, tuo, voce, teu, vc,
        sen, senin, ты, вы, твой, kamu, lu, jij, je, ty, jestes, lol, imagine, seriously, honestly""",
    "insult:phrase:3": """
        kind of engineer who, kind of person who, sort of person who, type of person who, the iq of, iq of a, are your
        parents, your parents, smarter answers, seen smarter, heard smarter, congrats dumbest, slow clap, bless your
        heart, do you have eyes, have you got eyes, buy glasses, get glasses, get your eyes, you will never be, you
        will never pass, you'll never pass, you'll never be, you will never understand, you'll never understand, you
        will never make, just give up, give up already, give up now, you should give up, go f, f yourself, f you, f
        off, slept through, sleeping through, asleep in, clearly slept, near a server, near a computer, near a
        keyboard, near production, let people like, people like this comment, like this post, like this answer, like
        this reply, people like these, like you, iq like, with an iq, with your iq, your iq, no sirven, no sirve para,
        dan asco, das asco, que asco, vraiment bete, trop bete, si bete, es bete, etes betes, t'es bete, t'es con,
        quel con, pauvre, so blod, zu blod, wie dumm, wie blod, so dumm, zu dumm, echt dumm, voll dumm, keine ahnung
        von, uberhaupt keine ahnung, no tienes idea, no tienes ni, no sabes nada, no sabes leer, aprende a, apprends
        a, lern erst, lern lesen, lern mal, impara a, aprenda a, non capisci, non sai, nao sabe, nao sabes, nao
        entende nada, vai estudar, vete a, vai a, va te faire, geh sterben, verpiss dich, lass es, whoever wrote, who
        wrote this, who wrote that, go cry, cry about, cry somewhere, cry more, cry harder, cope, seethe, get lost, go
        away, get out, get a life, grow up, grow a brain, shut up, shut it, shut your, zip it, piss off, sod off,
        bugger off, screw you, up yours, nobody cares, no one cares, who cares what, nobody asked, no one asked, who
        asked, nobody likes you, imagine being, imagine failing, imagine thinking, imagine not knowing, are you for
        real, are you serious, are you kidding, are you blind, are you high, are you drunk, are you stupid, are you ok
        in the, you ok in the head, what planet, on another planet, not for you, isn't for you, is not for you, isnt
        for you, find another, find a different, try gardening, try knitting, try another, choose another, pick
        another, change career, change careers, career change, go back to, stick to, stay in school, back to school,
        mop floors, flip burgers, flipping burgers, mcdonald's, mcdonalds, drive a taxi, quit now, just quit, waste
        of, wasting everyone, wasting our, wasting my time, what kind of, how can anyone be, how can someone be, how
        can you be so, how are you even, how did you even, how did you ever, who let you, who hired, who gave you, who
        taught you, do us a favour, do us a favor, do everyone a, do the world a, delete your, delete yourself,
        uninstall, touch grass, learn english, learn how to, hope you fail, hope you lose, hope you get, hope you
        never, hope they fire, should be fired, deserve to fail, deserves to fail, deserve to be, never make it, never
        pass, so full of, full of yourself, out of your depth, out of your league, no clue, no idea what you, not a
        clue, have no brain, zero clue, zero skills, zero brain, no brain, talk rubbish, talking out of, talking
        nonsense, you people, you lot, people like you, types like you, your kind, your mother, your mom, ur mom, your
        mum, yo mama, watch your back, i know where, i'll find you, i will find you, find out who you, you'll regret,
        you will regret, come and find, find you, your boss, your employer, your team must, feel sorry for, pity, poor
        your, poor colleagues, laughing at you, laugh at you, makes me sick, make me sick, makes me puke, i've ever
        read, i have ever read, ever seen on here, ever seen on this, i've read today, i have read today, i've seen
        today, read all day, bought your, did your certificate, where did you buy, who paid, cereal packet, dropped
        on, as a baby, born yesterday, living under, under a rock, wake up, sit down, know your place, stop
        embarrassing, embarrassing yourself, stop posting, stop commenting, stop spreading, keep quiet, keep your
        mouth, deja de, hor auf, arrete de, smetti di, pare de, get help, seek help, see a doctor, off your meds, take
        your meds, can't even, cant even, couldn't even, could not even, can you even, do you even, did you even, even
        read, too stupid, too dumb, too lazy, too dense, so stupid, so dumb, so dense, this dense, that dense, this
        dumb, that dumb, this stupid, that stupid, as thick as, as dumb as, dumb as, thick as, dumber than, two brain,
        use your brain, use your head, your head, in the head, yourself in, hang yourself, go die, drop dead, die
        in""",
    "insult:self:-4": """
        i'm an, i'm a, i am an, i am a, i was, i feel, i felt, feel like, felt like, myself, stupid question, dumb
        question, silly question, silly mistake, stupid mistake, dumb mistake, silly me, stupid me, sorry for, my bad,
        my own, i'm so, i am so, poor me, call me, i misread, i read, how did i, i should, me neither, my brain, my
        head, crying now, i'm such, i am such, my mistake, drives me crazy, driving me crazy, i hate, idiot proof,
        foolproof, garbage collection, garbage in, sanity, dummy variable, dummy variables, kill the process, brick by
        brick, my model, the model, models, sad but, sadly, i never, sheep farm, apache pig, thick client, thin
        client, dense layer, dense layers, dense vector, dense vectors, dense features, dense, ape metric, insane
        amount, neural, node, nodes, useless here, useless for, useless feature, useless when, useless if, useless
        without, tied, pods, process""",
    "votes:vote:3": """
        99 points, 100 points, my points, my score up, upvote, upvotes, upvoting, up vote, up votes, downvote,
        downvotes, thumbs up, thumb up, thumbs, like button, likes, vote, votes, voting, karma, reputation, the heart,
        heart button, hit the heart, that heart, the arrow, that arrow, hit that, smash, smash the, top comment, top
        commenter, top answer, top reply, best answer, accepted answer, most helpful, mark mine, mark as, marked as,
        helpful button, helpful votes, found it useful, the badge, my badge, a badge, badge, leaderboard, rate my,
        rate this, rate me, five stars, 5 stars, stars, react with, a like, like this comment, like this post, like
        this answer, like this reply, like my, like if, like for, like and, like 4, like share, likes and, give a
        like, leave a like, drop a like, smash like, like when, share like, pin this, pin my, bump, bump this, push
        this, to the top, boost, pulgar, me gusta, dale like, vota, votad, voten, votos, voto, daumen hoch, stimme,
        stimmt ab, stimmen, bewertet, gefallt mir, votez, pouce, likez, un like, curtir, curte, curtam, curtida, mi
        piace, metti like, pollice, begen*, oy ver*, лайк*, голос*, ставь*, плюс*, polub*, lapka, lapke, suka
        postingan, klik suka, stem op, duimpje""",
    "votes:plead:2": """
        please, pls, plz, pleasee, kindly, come on, c'mon, need, needs, i want, i'd love, would love, make my day,
        made my day, would mean, means a lot, means the world, means so much, help me, help a, help us, don't forget,
        do not forget, dont forget, remember to, let's, lets, let us, everyone, everybody, all of you, guys, friends,
        my friends, if you, if it helped, if this helped, if it was, if this was, if u, if you agree, agree, agrees,
        who agrees, who else, who's with me, hit, press, click, tap, smash, give, gimme, drop, leave, leaving, react,
        show some love, show love, some love, support, supporting, get this, get me, get my, gets to, reach, reaching,
        only has, only have, just has, nobody, no one, why does, why do, why only, why so few, deserves, deserve,
        more, comment my, my comment, my answer, my post, my reply, mine, i'll, i will, in return, back, for me, me
        up, for good luck, good luck, ignore, bad luck, por favor, bitte, svp, s'il vous plait, per favore, lutfen,
        пожалуйста, prosze, tolong, obrigado, gracias, first to, 50, 100, 10, 20, goal, away from, short of, left to,
        collecting, challenge, share, comment below, below, vote back, anyone, swap, exchange, who wants, appreciate,
        appreciated, thank you in advance, thanks in advance, others can see, so that others, so others, so everyone,
        visible, scroll, scrolling, costs you, costs nothing""",
    "votes:model:-5": """
        voting classifier, majority vote, majority voting, hard voting, soft voting, ensemble, ensembles, trees, each
        tree, neighbours, neighbors, nearest, raft, quorum, i vote, my vote is, my vote goes, i'd vote, i would vote,
        community vote, most voted, i upvoted, upvoted, why the downvote, version bump, bump the, column, poll,
        survey, app, users, user, customers, customer, movie, movies, ratings, product, products, recommendation,
        recommender, recommendations, reviews, star schema, tweets, game, players, learners, models, raters, labelers,
        labellers, election, consensus, data points, points out, hot spot, zookeeper, etcd, boosted, gradient
        boosting, cache hit""",
}
