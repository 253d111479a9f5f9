"""The words of the rule on leaks, by family: entries parted by commas. English first, then other languages."""

# ruff: noqa: RUF001 (words of other alphabets)

FAMILIES = {
    "genuine": """
        real, actual, exact, original, genuine, live, valid, leaked, verified, authentic, reales, vraies, vrais,
        vrai, echte, echten, aktuelle, aktuellen, originale, reali, vere, veri, reais, verdadeiras, verdaderas,
        gercek, cikmis, guncel, реальные, реальных, настоящие, актуальные, prawdziwe, aktualne, asli, bocoran,
        werkelijke, riktiga, latest""",
    "questions": """
        questions, ques, qs, q's, qns, pregunta, preguntas, respuestas, perguntas, questoes, respostas, gabarito,
        domande, risposte, reponses, sujets, fragen, antworten, losungen, loesungen, prufungsfrage*,
        pruefungsfrage*, originalfrage*, examensfrag*, examenvra*, vragen, soru, sorular, sorulari, sorularini,
        cevaplar, cevaplari, вопросы, вопросов, ответы, ответов, pytania, pytan, odpowiedzi, soal, kunci jawaban,
        jawaban, de thi, frågor, prasn""",
    "exam": """
        exam, exams, examination, exame, examen, examens, l'examen, d'examen, prufung, pruefung, prova, esame,
        l'esame, dell'esame, sinav, sinavi, экзамен*, egzamin*, ujian, real test, actual test, online test, real
        thing, certification, cert, ace, pmle, pca, pde, real one, certificacion, certificacao, zertifizierung, my
        test, your test, test centre, test center, testing center, testing centre, exam centre, exam center,
        prometric, pearson, pearson vue, kryterion, pruefungen, klausur, examenes, tentamen, my real test""",
    "exam_questions": """
        exam questions, exam question, test questions, exam answers, exam items, question bank, question pool, exam
        pool, preguntas del examen, preguntas de examen, respuestas del examen, questions d'examen, questions de
        l'examen, reponses de l'examen, sujets d'examen, prufungsfragen, pruefungsfragen, originalfragen,
        examensfragen, examenvragen, domande d'esame, domande dell'esame, domande esame, questoes da prova, questoes
        do exame, perguntas do exame, sinav sorulari, sinav sorularini, sorulari, вопросы экзамена, вопросы с
        экзамена, ответы на экзамен, ответы к экзамену, pytania egzaminacyjne, pytania z egzaminu, soal ujian, de
        thi, examen real, exame real, exam paper, exam papers, exam pdf, exam file""",
    "trade": """
        sell, sells, selling, sold, sale, buy, buying, send, sends, share, shared, sharing, provide, provided,
        available, offer, offering, swap, trade, exchange, collected, collection, photographed, download, upload,
        uploaded, forward, interested, pay, paying, price, willing, dm, pm, inbox, whatsapp, telegram, who has,
        anyone has, anybody has, anyone have, anybody have, has anyone, does anyone have, pdf, vce, guaranteed,
        guarantee, screenshots, photos, pictures, vendo, venta, vende*, compro, comprar, paso, comparto, tengo,
        necesito, busco, alguien tiene, verkaufe*, verkauf, biete, suche, bestellen, gegen bezahlung, envoyer,
        m'envoyer, envoie, vends, vendre, cherche, paie, paye, acheter, dispo, disponibles, cerco, inviare, passo,
        procuro, alguem tem, elimde, satilik, satiyorum, isteyen, lazim, var mi, paylas*, продам, продаю, куплю,
        пришлите, скину, есть, ищу, sprzedam, kupie, mam, szukam, jual, beli, minta, ada yang punya, ban, can mua,
        te koop, verkoop, gezocht, mit losungen, mit loesungen, mit antworten, con respuestas, con soluciones, avec
        reponses, com respostas, com gabarito, con risposte, с ответами, paid, kaufe, kauf, zahle, wer hat, chi ha,
        quien tiene, qui a, quien me pasa, help me with, get you the, can get you, ask me, i've got, i need, looking
        for""",
    "wish": """
        have, got, give, need, want, wants, looking, searching, seeking, where, get, reply, contact, please, pls,
        plz, order, file, all, tell, find, memorised, memorized, bring, know""",
    "comparison": """
        longer, shorter, harder, easier, difficult, similar, than, style, format, how many, multiple, practice exam,
        mock, mocks, sample, pool size, node pool, thread pool, connection pool, official practice, difficulty,
        closer, wording of, kind of, type of, types of, test set, test data, training, not allowed to""",
    "forbidding": """
        don't post, dont post, do not post, don't share, do not share, dont share, don't ask, do not ask, against
        the rules, against the rule, against the terms, against the nda, violates, violation, not permitted, no
        dumps, avoid dumps, avoid, instead of, without dumps, cheating, illegal, banned, forbidden, reported, please
        remove, please report, never used, never use, stay away, worthless, outdated dumps, not a dump, isn't a
        dump, nda, learn nothing, don't use, do not use, don't trust, don't rely, kein dump, sin dumps, sans dumps""",
    "deictic": """
        this, this one, it, these, that, that one, same, exact, exactly, identical, verbatim, word for word,
        similar, question, questions, scenario, q1, q2, number, them, one, esta, este, esta pregunta, cette, diese,
        dieselbe, genau, questa, essa, bu soru, этот""",
    "was": """
        was, were, is, came, appeared, appears, appear, comes, showed, shows, popped, turned, asked, in, on, got,
        salio, cayo, caiu, tombee, tombe, dran, kam, uscita, cikti, попался, попалась, was there, ended""",
    "appeared": """
        appeared, appears, came, showed up, popped up, turned up, seen, seen it, was asked, were asked, came up,
        came out, got asked, asked, saw, saw it, saw this, got it, got this, got that, got the same, had it, had
        this one, had this, had that one, had exactly, had the same, confirmed, it was, this was, was one, were on,
        was on, was in, met this, recognised, recognized, me salio, me cayo, salio, cayo, caiu, tombee, kam dran,
        war dran, hatte ich, mi e uscita, m'est uscita, cikti, попался, попалась, popped, straight from, this is
        from, copied from, came in""",
    "met": """
        remember, remembered, recall, recalled, recognise*, recognize*, saw, see, seen, got, had, received,
        encountered, faced, met, getting, spotted, found, asked me, they asked, i was asked""",
    "mine": """
        my, our, real, actual, live, today's, todays, yesterday's, yesterdays, on exam, in exam, from exam,
        official, last week's, his, her, their, recent, in the, on the, from the, at the, during the, of the, mi,
        meu, meiner, der echten, mon, mio, il mio, im, in der, ace, pmle, gcp, last, final, the real, the actual, en
        el, dans l', na, no, en mi, friend's, colleague's""",
    "preparing": """
        exam prep, exam preparation, prep, preparation, exam guide, exam guides, exam outline, exam objectives, exam
        topics list, exam domain, exam domains, exam tip, exam tips, practice exam, practice exams, practice test,
        practice tests, mock exam, mock, mocks, mock exams, exam blueprint, blueprint, exam date, exam fee, exam
        voucher, exam day, sample questions, sample question, study guide, in general, exam topics, exam pattern,
        exam language, exam english, exam style, exam stress, exam nerves, hope, hopefully, wrong answer, helped,
        helps, helpful, ran out, nervous, in time, enough time, good luck, my luck""",
    "sat": """
        sat, took, passed, failed, wrote, cleared, sitting, gave, attempted, exam today, exam yesterday, test today,
        test yesterday, my exam, exam this, exam was, sat for, appeared for, appeared in, gave my, gave the,
        completed, back from, exam done, test done, exam over""",
    "recent": """
        today, yesterday, morning, afternoon, evening, monday, tuesday, wednesday, thursday, friday, saturday,
        sunday, last week, last month, this week, last night, an hour ago, hours ago, days ago, weeks ago, day ago,
        week ago, just now, january, february, march, april, may, june, july, august, september, october, november,
        december, recently, heute, gestern, ayer, hoy, hier, ieri, dun, вчера, сегодня""",
    "content": """
        this was, this one was, it was there, also had, i also got, same wording, same question, same questions,
        word for word, verbatim, identical, appeared, came up, were from, from here, from this page, from this site,
        was there, were there, was on it, were on it, were in it, on it, one to one, letter for letter, number for
        me, was number, were the same, was the same, almost same, had this, got this, had one on, had one about, got
        one about, saw this, saw it, also asked, they asked, i was asked, came in, were exactly, was exactly,
        exactly this, exactly these, exact same, this exact, these exact, exact question, exact questions, this
        question was, can confirm it, they changed, only changed, got that one, was there too, were there too, comes
        exactly, exactly like this, comes like this, learn this one, comes up exactly, was question, remembered, one
        about, two about, two on, three on, four on, i remember, same as, question was, got this one, saw these, saw
        many, saw some, these came, many from, most from, some from, all from here, all of these, as in the exam, as
        in my exam, i got this, was the first, was the last, was the second, was the third, first question, last
        question, second question, third question, question number, lots of, saw at least, at least, half of, same
        here, similar to this, just like this, just as here, pretty much this, exact this, came this, this came,
        came exactly, word by word, were asked""",
    "own_success": """
        understand, understood, explanations, helped, wrong, thanks to your explanations, mocks, project,
        production, at work, bug, incident, learned, score, i got this wrong, try, attempt, first try, of the labs,
        practice, wrong answers, explain""",
    "sameness": """
        same wording, same, identical, from this page, from here, from this site, word for word, verbatim, the
        exact, exact, exactly, were here, are here, in here, repeated, came, appeared, ones from""",
    "share_of": "percent, %, of my, out of, of mine, from 50, of 50, of 60, most of",
    "memory": """
        from memory, good memory, photographic memory, could recall, can recall, could remember, can remember, could
        still remember, still remember, i remember, i recall, wrote down, written down, noted down, type out, typed
        out, typing out, write them down, wrote them down, jotted down, reconstruct*, de memoria, aus dem
        gedachtnis, de memoire, a memoria, brain fresh, fresh in my, still fresh, while it's fresh, while fresh,
        typed them up, typed up, typed it up, i can remember, remember about, remember all, kept notes, i noted""",
    "memory_of": """
        exam, exams, of them, test centre, test center, q1, q2, all 50, all 60, leaving, examen, prufung, scenarios,
        the questions, exam questions, real questions, questions from, my test, my exam""",
    "record": """
        photographed, photograph, screenshot, screenshots, screenshotted, screen shots, screen shot, photo, photos,
        pictures, recorded, recording, filmed, scanned, snapped, smuggled, hidden camera""",
    "record_of": "exam, exams, online test, my screen, real questions, proctor, proctored, examen, prufung",
    "what": """
        what, which, tell me, topics, topic, how many, any questions, was kam, que, quelles, welche, cuales, quali,
        list""",
    "past_asked": """
        did you get, you got, you had, came up, came, was asked, were asked, got asked, did they ask, they asked,
        asked, answers were, appeared, showed up, you saw, did you see, you remember, you recall, do you remember,
        can you remember, you were given, did u get, u got, you faced, did you have, were in, were on, was in, was
        on, are in, kam dran, salieron, te salio, sont tombees, on it""",
    "asked_where": """
        exam, exams, examination, test centre, test center, your test, real one, examen, prufung, esame, prova,
        paper, ace, pmle, your exam, yesterday, today, this morning, this week, monday, tuesday, wednesday,
        thursday, friday, saturday, sunday, your slot, tuesday slot, test slot, same slot, same centre, same center""",
    "score": """
        score, scores, result, results, percent, mark, marks, grade, pass mark, passing, language, voucher, docs,
        documentation, in this question, accuracy, metric, explanation""",
    "asker": """
        anyone, anybody, someone, somebody, any one, can you, could you, can u, please, pls, plz, kindly, who, need,
        looking for, searching for, does anyone, has anyone, how do i get, how can i get, hook me up, send me,
        willing, give me, tell me, got any, alguien, jemand, quelqu'un, qualcuno, alguem, кто, ktos, any chance,
        want to have, where can i, where do you, where do i, where to get, who can share, where are, anyone has,
        would anyone, would pay, pay for, upload, somebody who, someone who, does anybody, does somebody, is there
        any, is there a""",
    "asked_for": """
        real ones, actual ones, exact ones, original ones, real stuff, real exam, actual exam, exact exam, paid pdf,
        exam pdf, the pdf, pdf of the, full pdf, exam file, vce, latest set, latest questions, real questions, exact
        questions, question bank, exam paper, exam answers, answer key, answers for the exam, answers to the exam,
        answers of the exam, all the questions, remaining questions, rest of the questions, contributor access, the
        real thing, recalls, real exam questions, recalled questions, copy of the real, copy of the exam, copy of
        the test, copy of the actual, the last exam, last exam, previous exams, past exams, old exams, past papers,
        previous papers, exam content, what they remember, exam material from, recent exam questions""",
    "collected": """
        collected, collect, collecting, gathered, gather, compiled, compile, compiling, archive, archived,
        memorised, memorized, list of, set of, bundle of, spreadsheet, folder, document with, google doc, pool our,
        put together, trade, swap, exchange, combine, sharing, file""",
    "takers": """
        took, sat, people who, candidates, colleagues, passed, last month, last week, friends, test takers, each of
        us, remembers, remember, what they saw, what we saw, our exams, their exams, actual, the exam""",
    "dump": "dump, dumpz, dumpss",
    "dumps": "dumps, dumpz, braindump, braindumps, dumpss, дамп, дампы, дампов",
    "brain_dump": """
        brain dump, brain dumps, braindump, braindumps, braindumpz, exam dump, exam dumps, examdump, examdumps, cert
        dumps, certification dumps, dumps pdf, dump pdf, pdf dumps, pdf dump, valid dumps, valid dump, latest dumps,
        latest dump, real dumps, real dump, updated dumps, ace dumps, pmle dumps, gcp dumps, google dumps, aws
        dumps, azure dumps, dumps for the exam, question dump, question dumps, dumps site, dumps sites, дампы, dump
        ace, dump pmle, dump site, dump sites, dumps ace, dumps pmle, paid dump, paid dumps""",
    "dump_cue": """
        urgent, urgently, ace, pmle, exam, exams, cert, certification, valid, latest, real, question, questions,
        pdf, buy, sell, selling, paid, cleared, pass, passed, premium, answers, gcp""",
    "dumps_cue": """
        need, urgent, urgently, ace, pmle, exam, exams, cert*, pass, passed, valid, latest, updated, pdf, buy,
        sell*, share*, send, free, any, anyone, have, got, here, real, guaranteed, google, gcp, aws, azure,
        questions, question, provide, link, site, sites, website, price, please, pls, who, where, get, used, use,
        want, wants, looking, new, best, accurate, passing, studied, study, professional, associate, architect,
        answers, interested, enough, worked, recommend, page, download, from, only""",
    "technical": """
        heap, thread, memory, core, crash, stack, database, databases, db, sql, pg, mysql, postgres, postgresql,
        redis, packet, tcp, tcpdump, json, state, log, logs, table, tables, schema, csv, backup, backups, restore,
        export, exports, import, imports, bucket, disk, kernel, hex, etcd, gzip, pickle, data, instance, truck,
        garbage, storage, gs, cloud sql, dump the, dump it, dump everything, dump all, to dump, just dump,
        mysqldump, java, jvm, pod, vm, cache, dump files, core dumps, mongo, mongodump, file, process, debug,
        debugging, dump into, load, loads, migrate, migration, replica, nightly, gb, firestore, bigquery, spanner,
        oracle, server, metrics, config, variables, environment, ram, snapshot, dumps to, yaml, object""",
    "leaked": """
        leak, leaked, leaks, leakd, leaking, filtrado, filtradas, filtrada, geleakt, geleakte, fuite, fuites,
        sizdirilmis, слив, слитые, слили, wyciek, bocoran""",
    "leak_goods": """
        exam, exams, pool, question, questions, paper, papers, answers, pdf, items, test questions, ace, pmle,
        examen, preguntas, prufung, fragen, sujets, soru, вопросы, pytania, soal, here, file, set""",
    "leak_technical": """
        key, keys, memory, label, labels, target, feature, features, training, train, data, future, validation,
        connection, connections, split, secret, secrets, test set, leakage, the answer, model, information,
        credentials, token, tokens, password, log, logs, wording, column, option, length, node, thread, api, service
        account""",
    "buy_sell": """
        buy, sell, selling, sale, order, purchase, pay for, kaufen, comprar, acheter, pay, paying, for sale""",
    "exam_goods": """
        exam answers, exam questions, answers, question papers, exam papers, exam pdf, certificate without, pass
        without, real exam, dump, dumps, the real test, exam set""",
    "cheat": """
        take the exam for you, take your exam, take my exam, take the test for you, sit the exam for you, sit your
        exam, proxy exam, pass without studying, without exam, without taking the exam, certificate without exam,
        pass without exam, remote access during, help during the exam, cheat sheet from the exam, bypass the
        proctor, bypass proctor, hidden earpiece, examen por ti, hacemos tu examen""",
    "page_is_it": """
        this page is the exam, this is the real question, real exam question, actual exam question, this is a real
        question, it's a real question, legit question, real question confirmed, still valid, still in the pool, in
        the pool, is in the exam, is on the exam, on the real exam, in the real exam, on actual exam, in actual
        exam, on real exam, in real exam, on the actual exam, in the actual exam""",
    "claim": """
        this, confirm, confirmed, can confirm, it, yes, same, saw, one, got, yesterday, today, question, appeared,
        came, still, exact, identical, word for word""",
    "asking": """
        is this, are these, does this, do they, will, would, should, could, does the, can it, do i, whether, is it,
        are there, can you, can i, may i, allowed, do you think, is that, likely, how many questions, how many""",
    "write_down": """
        write down the questions, note the questions, note down the questions, post the questions, list the
        questions, tell us the questions, remember the questions, share the questions, share your questions, share
        questions, post them here, write them here, share them here, share what you remember, post what you
        remember, write what you remember, memorise the questions, memorize the questions, which questions you got,
        the questions you got, questions you had, questions you remember, questions you saw, share your exam, share
        your recall, share recall, share your experience of the questions, collect the questions, gets the
        questions, get the questions early, questions in advance, questions beforehand, answers in advance, answers
        beforehand""",
    "verbatim": """
        word for word, verbatim, letter for letter, one to one, word by word, wortlich, palabra por palabra, mot
        pour mot, parola per parola""",
    "when_verbatim": """
        yesterday, today, the test, monday, tuesday, wednesday, thursday, friday, saturday, sunday, last week, this
        week, this morning, came, got, appeared, real, actual, had, mine""",
    "alike": """
        exact same, exactly the same, identical, same wording, exactly this, exactly these, exactly like this,
        exactly as here, same as here, 1 1, same as in, same as on, same as at, same question, same questions, same
        one, same ones, same text, same options, same scenario, exact, exact question, exact questions, the same
        thing""",
    "possess": """
        have, got, give, remember, remembered, typed, collected, sell, share, know, send, recall, bring, memorised,
        memorized, get you""",
    "from_a_sitting": """
        from my, from the, from last week's, from last, from yesterday's, from today's, of last, of my, of the real,
        from our, from their, from his, from her, from this week's, for the real, for the actual, to the real, to
        the actual, of the actual, from monday's, from friday's, from a real, from an actual, from real, from
        actual, of yesterday's""",
    "answers": "answers, answer, key, solutions",
    "in_my_exam": """
        in my exam, on my exam, during my exam, from my exam, at my exam, in my test, on my test, from my test, in
        my real exam, in my actual exam, on my actual exam, on my real exam, in the real exam, on the real exam, in
        the actual exam, on the actual exam, in real exam, in actual exam, on real exam, on actual exam, from the
        real exam, from the actual exam, in the actual test, on the actual test, in the real test, on the real test,
        in our exam, on our exam, in my ace, in my pmle, on my pmle, on my ace, my exam had, my test had, my exam
        was, real exam had, in his exam, in her exam, in their exam, en mi examen, in meiner prufung, in der
        prufung, dans mon examen, na minha prova, nel mio esame""",
    "item": """
        this, same, question, questions, it, one, option, options, asked, had, got, exactly, these, answers, two,
        three, four, five, number, esta, diese, cette, essa, questa, scenario, q, six, seven, eight, nine, ten,
        both, about, similar, almost, answer, wording, there, these two, company, numbers, identical, many, most,
        several, half, twice""",
    "confirm": "confirm, confirmed, can confirm, confirming, trust me, i swear, sure, legit",
    "real_exam": """
        real exam, actual exam, real test, actual test, exam pool, is on the exam, is in the exam, on the exam, in
        the exam, the pool""",
    "sat_now": """
        just finished, just came back, came back from, back from, just passed, just failed, just took, just sat,
        just wrote, just had my, just did my, just got out, came out of, walked out, straight from the, exam today,
        exam yesterday, exam this morning, test today, test yesterday, test this morning, passed today, passed
        yesterday, passed this morning, failed yesterday, failed today, took it today, took it yesterday, took it
        this morning, took it last, sat it""",
    "anyone": """
        anyone, anybody, someone, somebody, who has, who can, has anyone, does anybody, can somebody, would anyone,
        send me, wer hat, chi ha, quien tiene, qui a, those who, people who, if you, can you, could you, whoever,
        please tell, pls tell, plz tell, tell me, tell us, has someone, has somebody, has anybody, someone got""",
    "timeframe": """
        january, february, march, april, may, june, july, august, september, october, november, december, last week,
        last month, this month, this week, yesterday, today, monday, tuesday, wednesday, thursday, friday, saturday,
        sunday, letzter woche, heute, gestern, ayer, hier, ieri, semana pasada, la semaine derniere, recently, 2023,
        2024, 2025, 2026, changed, new pool, updated""",
    "what_got": """
        what they got, what you got, what they remember, what you remember, what was asked, what they asked, what
        came, what did they ask, what was on, what was in, what you had, what they had, what you saw, what they saw,
        which ones came, which ones you got, which came, what to expect exactly, what is asked, what it asked, which
        questions, what questions, what topics, which topics, what did you get, what did they get, what comes, what
        will come, what is coming, what came up, what appeared, what they give, what you were asked, what was given,
        questions you, which ones are""",
    "who_sat": """
        passed, took, sat, recently, your test, your exam, their exam, from the exam, on the exam, in the exam,
        wrote, did the exam, had the exam, exam, yesterday, this morning""",
    "noted": """
        notes of, noted, list of, full list, kept notes, document, everything people, screenshots, photos, pictures,
        compiled, spreadsheet""",
    "remember": "remember, remembers, remembered, recall, recalls",
    "leak_plain": """
        real question and answers, real questions and answers, original questions and answers, question answer pdf,
        questions and answers pdf, real q and a, complete pool, whole question bank, 100 real, 100 percent real,
        exam leak, exam leaks, learn the dump, study the dump, learn the dumps, dump version, dump for sale, dumps
        for sale, selling dump, selling dumps, sell dumps, from the dump, in the dump, with the dump, the dump is,
        dump file for, exam topics premium, on exam topics, from exam topics, exam topics com, site exam topics,
        exam topics site, exam topics has, exam topics says, link to exam topics, get you the real thing, the real
        stuff, the real deal, insider questions, memory based, exam recall, exam recalls, confirmed exam question,
        verified exam, get the real thing, expected questions, important questions, guess paper, sure shot, most
        repeated, frequently repeated, questions that came, questions which came, question which came, question that
        came, questions asked in, question asked in, asked in exam, asked in my, came in exam, came in the exam,
        came in my, comes in exam, from real exam, from actual exam, from the real exam, from the actual exam, from
        the live exam, straight from the exam, copied from the exam, copy from the exam, stolen from, smuggled out,
        taken from the exam, taken from the real, all the real, the real questions, the actual questions, the exact
        questions, the original questions, real q, actual q, exact same question, exact same questions, this exact
        question, these exact questions, same exact question, same exact questions""",
    "please_share": """
        please share, pls share, plz share, kindly share, can you share, could you share, can someone share, can
        anyone share, anyone share, please send, pls send, plz send, kindly send, send me, please provide, pls
        provide, share me, forward me, pass me, lend me, please upload, please post, someone send, anyone send,
        someone share, somebody share, somebody send, can anybody share, can anybody send, can anyone send, can
        someone send, can you send, could you send, could someone send, could someone share, could anyone share,
        willing to share, willing to send, happy to share, ready to share, i can send, i can share, i will send, i
        will share, i will post, i will upload, will send, will share, would share, share it if, share with me, help
        me get, help me find, hook me up""",
    "goods_ask": """
        questions, question paper, pdf, pdfs, material, materials, set, dump, dumps, paper, papers, latest, the
        rest, rest of, complete, answers, what you got, what you had, what you saw, what you remember, whatever you,
        real ones, screenshots, photos, pictures, recalls, all of them, the list, full list, the doc, google drive,
        drive folder, folder, zip""",
    "invite": """
        if interested, who wants, who needs, anyone wants, anybody wants, if anyone needs, if anybody needs, if
        anyone wants, if you need them, if you want them, if you want it, want them, ask me for, reply here, drop a
        comment, write me, small fee, small price, payment, coffee, beer, paypal, amazon card, gift card, pay after,
        serious people, serious buyers, only serious, let me know who, interested ones, interested people,
        interested, for free just, no money, make me an offer, best offer, say yes, leave a comment, answer here,
        comment below, comment here""",
    "exam_thing": """
        questions, exam, pdf, answers, screenshots, pictures, dump, dumps, exams, test, the list, them all, all of
        them, recalls""",
}
