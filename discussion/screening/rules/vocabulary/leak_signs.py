"""The words of the signs of leaks, by family: the name says the kind and the points; entries are parted by commas."""

FAMILIES = {
    "leak:in_the_exam:3": """
        in mine, on mine, mine had, mine was, in my version, my form, my version, friday's form, in the real, the full
        pool, full pool, item bank, last cycle, this cycle, last round, last batch, exam window, in my exam, on my
        exam, from my exam, during my exam, at my exam, in my test, on my test, from my test, in the exam, on the
        exam, from the exam, in the test, on the test, from the test, in your exam, on your exam, from your exam, in
        your test, on your test, in exam, on exam, at exam, in our exam, in his exam, in her exam, in their exam, on
        his exam, on her exam, on their exam, for my exam, my paper, the paper, my exam had, my exam today, exam
        today, exam yesterday, test today, test yesterday, real exam, actual exam, live exam, real test, actual test,
        live test, official exam, final exam, real thing, real one, real ones, actual one, actual ones, actual paper,
        real paper, exam feedback, exam experience, exam report, exam review, the last sitting, last sittings, exam
        session, testing centre, testing center, test centre, test center, exam centre, exam center, pearson,
        prometric, kryterion, the pool, exam pool, en mi examen, en el examen, in meiner prufung, in der prufung, dans
        mon examen, a l'examen, na minha prova, na prova, nel mio esame, all'esame, sinavda, на экзамене, di ujian, na
        egzaminie, from ace, from pmle, in ace, in pmle, on the pmle, on the ace, in the pmle, in the ace, on the
        real, in the actual, on the actual""",
    "leak:exam:2": """
        exam, exams, examination, paper, sitting, ace, pmle, pca, pde, pcd, pdoe, certification, cert, the test, my
        test, your test, examen, prufung, prova, esame, sinav, экзамен*, egzamin*, ujian, question bank, question
        pool, test day, exam day, slot, invigilator, proctors, proctored, online test""",
    "leak:recall:2": """
        this came, that came, it came, same came, came too, they use this, they use it, they used this, uses this,
        both there, all there, asked to me, asked me this, asked in, in real, on my screen, on screen, was used, they
        included, they still ask, they still use, will come, comes exactly, come exactly, come like, there it was,
        still have in my head, in my head, remembered, you all remembered, what they were, was given, dran, came
        again, got again, appeared again, asks this, keeps coming, was one of, were among, was among, made it into,
        featured, first one, last one i, hot ones, got literally, literally got, literally had, literally saw,
        experienced, in there, was there too, was there as well, is there as well, still asking, had asked, they ask,
        they put, was part of, saw, seen, spotted, remember, recall, recalled, recalling, recollect, retain, retained,
        appeared, appears, appearing, appear, came up, come up, comes up, coming up, came out, came in, came for me,
        came to me, what came, showed up, shows up, show up, showing up, popped up, pops up, pop up, popped, turned
        up, turns up, turn up, was there, were there, was in it, were in it, was on it, were on it, was in, were in,
        was on, were on, got asked, was asked, were asked, being asked, get asked, gets asked, they asked, asked me,
        asked you, did they ask, really asked, actually asked, asked about, they gave, gave me, given to me, were
        given, got this, got it, got that, got these, got the same, got one, had this, had that, had it, had these,
        had one, had two, had the same, had almost, had nearly, had exactly, had about, you had, you got, did you get,
        did u get, u got, what you get, what they ask, what they asked, i had, encountered, faced, met this, met it,
        met, received this, received it, recognised, recognized, bumped into, ran into, included this, included, still
        valid, still in, still there, still active, still used, was real, is real, are real, i can confirm, can
        confirm, confirmed, confirming, memorised, memorized, memorise, memorize, salio, cayo, caiu, saiu, tombe,
        tombee, kam dran, dran gekommen, uscita, cikti, попался, попалась, был на, keluar, jotted, noted down, wrote
        down, written down, hit me, dropped in, got hit with, was my, were my, was number, was question, was q""",
    "leak:this:1": """
        these ones, the one, one with, one on, one about, taxi, the bank one, the bakery one, company name, picture,
        image, diagram, sentence, this, this one, these, those, same, same one, identical, exact, exactly, it,
        question, questions, q, qs, one, ones, scenario, item, items, that one, of them, of these, of those, pregunta,
        frage, question-la, domanda, pergunta, soru, вопрос, soal""",
    "leak:variant:2": """
        been replaced, were replaced, was replaced, rather than, otherwise no change, no change, extra sentence, extra
        option, same picture, other company, other names, other numbers, new option, one more option, one extra,
        modified, slightly changed, rest same, rest is same, rest was same, wording changed, names changed, same
        options, same answers, same order, also asked, options were, options shuffled, shuffled, reordered, different
        order, other order, order of the options, only difference, the difference was, instead of, in place of,
        replaced by, replaced with, only with, just with, same but, but with, changed the, they changed, changed to,
        swapped, almost same, almost the same, nearly the same, very similar, slightly different, different company,
        different name, different numbers, same wording, similar wording, word for word, verbatim, letter for letter,
        exact same, exactly same, exactly the same, identical, 1 1, with 5 options, with five options, with six
        options, choices were, wording was, reworded, rephrased, paraphrased, twist, variation, version of this, one
        option, option was, option d said, option c said, option b said, option a said""",
    "leak:when:1": """
        today, yesterday, this morning, this afternoon, last night, last week, last month, last year, this week, this
        month, ago, monday, tuesday, wednesday, thursday, friday, saturday, sunday, mon, tue, wed, thu, fri, sat, sun,
        january, february, march, april, june, july, august, september, october, november, december, jan, feb, mar,
        apr, jun, jul, aug, sept, sep, oct, nov, dec, recently, just now, just finished, just passed, just took, just
        sat, just walked, just came, just got, just left, tonight, tomorrow, heute, gestern, ayer, hoy, hier, ieri,
        ontem, hoje, dun, bugun, вчера, сегодня, 2023, 2024, 2025, 2026, hour, hours, hrs, weekend, spring, summer,
        autumn, winter, latest, newest, recent""",
    "leak:person:1": """
        i, me, my, mine, we, our, us, you, your, u, ur, guys, colleague, coworker, co worker, friend, buddy, brother,
        sister, cousin, wife, husband, classmate, mate, roommate, boss, teammate, anyone, anybody, someone, somebody,
        everyone, people, trainer, teacher, instructor, candidates, takers, who""",
    "leak:sat:1": """
        passed, failed, took, sat, wrote, cleared, attempted, finished, walked out, came out of, attempt, resit,
        retake, retook, did the, gave my, gave the, bestanden, aprobe, passei, reussi, superato, gectim, сдал, pass,
        passing, get certified, certified""",
    "leak:genuine:2": """
        real answer, real answers, answer keys, real keys, same list, last three attempts, last attempts, my attempts,
        exact ones, the exact, premium file, paid file, valid questions, valid ones, still valid, learn it, learn
        this, learn these, learn them, learn those, learn by heart, hot, is hot, important one, very important, must
        know, repeated, repeats, repeating, again and again, second time, leaks, leak, answer sheet, answer sheets,
        item bank, real, actual, actually, really, genuine, authentic, original, legit, live, leaked, true ones,
        verified, up to date, updated, reales, echte, echten, vraies, reali, reais, gercek, настоящие, реальные, asli,
        guaranteed, memory, insider, inside, secret, hidden camera, in advance, beforehand, before the exam, the night
        before, early, stolen, smuggled, copied, recorded, photographed, screenshots, screenshotted, filmed,
        scanned""",
    "leak:goods:1": """
        pdf, pdfs, file, files, doc, document, google doc, docs file, folder, drive, zip, list, sheet, spreadsheet,
        set, sets, pool, bank, material, materials, notes, bundle, pack, package, collection, archive, screenshots,
        photos, pictures, video, mp4, recording, recall notes, recalls, answers, answer key, key, solutions, items,
        questions, paper, papers, vce, anki deck, deck, quizlet, shortcut, copy, stuff, content, contents, everything,
        all of them, them all, the rest""",
    "leak:dump:3": """
        dumps, braindump, braindumps, brain dump, brain dumps, exam dump, dumpz, exam topics premium, examtopics,
        scribd, vce file, vce files, the vce, contributor access, recall notes, recalls, exam recall, the leak, exam
        leak, leaked, proxy, impersonate, take the test for, takes the test, take the exam for, takes the exam, sit it
        for you, sits the exam, write it for you, earpiece, remote help, during the exam help, help me during, help
        during, cheat, cheating, cheats, cheat sheet for the exam, question paper, papers leaked, repeated questions,
        repeat questions, questions that repeat, frequently repeated, inside man, someone inside, somebody inside,
        insider, genuine items, genuine questions, exam file, exam pdf, your certificate is, certificate without, no
        study, no studying, without study, without studying, pay after, pay when, pay once, after you pass, after
        passing, full question bank, complete question bank, whole question bank, entire question bank, question bank
        pdf""",
    "leak:ask:2": """
        are there any, any other site, any other sites, any site with, any page with, which site has, other sources,
        any leaks, upload what, does somebody, somebody still, anybody selling, anyone selling, list the, quickly
        list, tell which, write which, which numbers, need original, in my name, person to do, somebody to do, someone
        to do, kindly upload, kindly post, kindly tell, kindly list, kindly give, kindly provide, plz send, plz
        upload, anyone with, anybody with, got any, have any, spare a, lend me, share your, share what, post your,
        post what, upload your, tell what, how many came, how many of those, will these come, do these come, did these
        come, is this asked, is it asked, are these asked, please share, pls share, plz share, share please, kindly
        share, please send, pls send, kindly send, kindly forward, please forward, please post, pls post, send me,
        forward me, share with me, share it, share them, can you share, could you share, could you post, can you post,
        could you list, can you list, somebody list, someone list, jot down, write down, type out, type up, list them,
        tell me, tell us, anyone have, anyone has, anybody have, anybody has, anyone got, anybody got, somebody have,
        someone have, who has, who have, who's got, any chance, looking for, searching for, in search of, where can i,
        where do i, where do you, where to get, where to find, where did you, how do i get, how can i get, get hold
        of, get my hands, hook me up, i need, need the, need a, need all, i want, want the, only want, i only, is
        there a file, is there a list, is there a pdf, is there any, is there a set, is there a copy, anyone from,
        anyone who, those who, whoever, people who, did anybody, did anyone, did somebody, has anyone, has anybody,
        does anyone, does anybody, can somebody, can someone, can anyone, could somebody, could someone, would anyone,
        would somebody, willing to, anyone willing, anybody willing, give me, which of these, which ones, which
        questions, what questions, what came, which came, how many of these, how many of them, how much of this, guys
        please, money is no problem, i'll pay, i will pay, i can pay, happy to pay, ready to pay, would pay, what to
        memorise, what to memorize, which to memorise, which to memorize, help me pass, please help me pass, i have to
        pass, must pass, is it real, is this real, is this one real, are these real""",
    "leak:offer:2": """
        giving away, give away, give you, you get from me, get from me, from me, ten bucks, few bucks, small fee,
        comment your, leave your, ask for sample, sample page, sample pages, on request, in stock, can deliver,
        deliver, delivered, sharing with, sharing all, sharing the, sharing my, split the cost, split the price, share
        the cost, usd, for you all, selling access, access to, lets people, let people, will exchange, exchange my,
        leave your contact, whoever wants, anyone want, i've the, got hold of, have all, updated weekly, for sample,
        free sample, samples, reconstructed, rebuilt, put together, wrote them all, can get, could get you, can
        arrange, arrange, vendor, proctoring, i work for, works at, works for, i have, i've got, ive got, i got, we
        have, i can send, i can share, i can forward, i can give, i can post, can pass along, can send, can share, can
        forward, can provide, i'll send, i'll share, i will send, i will share, i'll post, i will post, i'll upload,
        will upload, sending, selling, sell, for sale, sale, trade, trading, swap, exchange, available, interested, if
        interested, if you want, if anyone wants, anyone need, anyone needs, anybody need, anybody want, who wants,
        who needs, need them, say hi, say yes, comment yes, name your price, price, cheap, euros, bucks, paypal,
        coffee, donation, ask me, ask for, write me, write to me, message me, contact me, dm, pm, inbox, serious
        people, serious buyers, first come, for free, free for everyone, collected, compiled, gathered, i know a guy,
        i know someone, my contact, gives us, gave us, hand out, money back, refund, guarantee, guaranteed, we
        guarantee, on your behalf, for you""",
    "leak:safe:-4": """
        help of, costs, fee, rename, renamed, overlooked, duplicate of, remember the difference, my way, my notes,
        don't need to, no need to, anyone who answers, anyone who thinks, anyone who chose, anyone who picks, thanks
        to all, thank you all, thanks all, thanks everyone, thanks for the, thanks for your, how hard, how difficult,
        compared to, compared with, tougher, you have about, skip, minutes per, minutes for, for me is, confuse,
        confusing, mix up, mock, mocks, practice, practise, practising, prep, preparation, preparing, guide, guides,
        syllabus, outline, objectives, documentation, docs, official documentation, lab, labs, wish me luck, good
        luck, luck, nervous, study plan, studying for, hope, hopefully, hoping, production, at work, project, training
        set, test set, test data, unit test, a b test, ab test, load test, test split, holdout, validation set,
        training data, validation, precision, in the question, the question says, question mentions, question asks,
        asks for, explanation, explanations, my mistake, i got it wrong, got it wrong, got this wrong, got this right,
        wrong again, customer, customers, dataset, interview, got it now, ok got it, thanks got it, release notes,
        preview, how many questions, in english, against the rules, don't post, do not post, do not share, don't
        share, nda, please don't, please do not, reported, forbidden, difficulty, harder, easier, id, webcam, room,
        jumper, budget, budgets, deny, policy, policies, service account, statement, query, queries, logs, bucket,
        region, model, models, cluster, pods, node, nodes, instance, instances, fridge, table, api, gcloud,
        configuration, experience, product, products, score, scores, the key is, the word, keyword, the text says,
        topic by topic, chapter, course, courses, learned, learnt, video, flashcards, memory leak, heap, thread, real
        time, actual cost, real estate, real world, real user, real life, real data, real mail, real money, real
        hands, the real question is""",
    "leak:against:-9": """
        against the rules, against the nda, don't post, do not post, dont post, do not share, don't share, dont share,
        don't ask for, do not ask for, please don't, please do not, nda, reported, forbidden, not allowed to share,
        how many questions, stay away from, don't trust, do not trust, don't use dumps, avoid dumps, no dumps, without
        dumps, instead of dumps, cheating yourself, the real question is, real question here is""",
    "leak:certain:5": """
        word for word in, this exact question, these exact questions, exact same question, same exact question, same
        question in my, on my exam, in my exam, from my exam, on my test, in my real exam, came up for me, came for
        me, showed up for me, popped up for me, turned up for me, question is real, question was real, they gave me
        this, gave me this one, i had this one in, exam feedback, mine was the same, had the same one in, still being
        asked, got asked this, got asked the same, i was asked this, i was asked the same, came in my, was in my exam,
        was on my exam, were in my exam, was in the real, was on the real, was in the actual, was on the actual, got
        this in the exam, got this on the exam, saw this in the exam, saw this on the exam, seen today, saw it today,
        saw this today, saw this yesterday, got this today, got this yesterday, had this today, had this yesterday,
        had it today, had it yesterday, met it today, got this one today, got this one yesterday, had this one today,
        had this one yesterday, saw this one, real exam questions, actual exam questions, exam questions and answers,
        before your test day, before the exam day, what came, everything that came, all that came, what you got in,
        what you got on, from someone inside, what was on it, what was in it, which came up, which ones came, what did
        they ask, what they asked you""",
}
