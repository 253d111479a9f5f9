"""The words of the rules on insults and votes, by family: entries parted by commas."""

FAMILIES = {
    "insult_noun": """
        idiot, idiots, moron, morons, imbeciles, loser, clown, clowns, cretin, dimwit, halfwit, half wit, nitwit,
        dunce, simpleton, ignoramus, buffoon, scum, scumbag, weirdo, muppet, muppets, numpty, donkey, dumbass,
        dumbo, jackass, asshole, arsehole, assholes, bastard, bastards, bitch, prick, dickhead, wanker, twat, cunt,
        motherfucker, retard, retards, retarded, crybaby, snowflake, lowlife, airhead, blockhead, bonehead, pinhead,
        birdbrain, pea brain, peabrain, wannabe, wannabes, charlatan, hypocrite, smartass, smart ass, smart arse,
        know it all, knowitall, keyboard warrior, attention seeker, attention whore, mouth breather, imbecil,
        idiota, idiotas, dummkopf, trottel, depp, deppen, vollidiot, vollpfosten, arschloch, blodmann, blodian,
        schwachkopf, versager, hohlkopf, estupido, estupida, estupidos, pendejo, pendejos, gilipollas, cabron,
        payaso, payasos, tarado, mongolo, burro, cretino, cretina, stronzo, stronzi, coglione, scemo, pagliaccio,
        connard, connards, abruti, abrutis, debile, debiles, cretins, bouffon, otario, babaca, palhaco, trouxa,
        aptal, salak, gerizekali, ahmak, beyinsiz, идиот, идиоты, дурак, дураки, дебил, дебилы, придурок, кретин,
        тупой, тупые, тупица, лох, лохи, kretyn, kretyni, glupek, glupi, sukkel, idioot, eikel, debiel, kloothommel,
        bewakoof, chutiya, gadha, goblok, tolol, bodoh, do ngu, bunch of losers, such losers, you losers, you fool,
        such a fool, a fool, fools like, you jerk, a jerk, such a jerk, parasites like, imbecile, you pig, low iq,
        deine idioten, ihr idioten, dolt, oaf, twit, ninny, dingbat, nincompoop, dullard, dunderhead, numbskull,
        wimp, coward, cowards, windbag, faker, cheaters, pretender, showoff, slacker, lamer, dumb head, dumbhead,
        wise guy, smarty pants, smartypants, big head, bighead, egomaniac, narcissist, psycho, psychopath, lunatic,
        maniac, nutcase, freak, freaks, brat, brats, bigmouth, loudmouth, ignoramuses, witch, hag, swine, vermin,
        cockroach, maggot, rat brain, troll, trolls, trottels, flachpfeife, nichtskonner, pfeife, dumpfbacke,
        incapaz, ignorante, ignorantes, analfabeto, analfabeta, tontito, nullard, nullite, guignol, charlatans,
        somaro, asino, ignoranti""",
    "harmless_noun": """
        i'm an, i'm a, i am an, i am a, i was an, i was a, am i, me an, such an idiot i, myself, felt like, feel
        like, feeling like, like an idiot, call me, proof, idiot proof, fool proof, fool me, don't be a fool, no
        fool, fool's, fooled, idiot's guide, moby, dick test, pig latin, apache pig, donkey kong, clown fish, we
        idiots, even an idiot, my inner, i idiot, me idiot, like me, i'm such, i was such, i am such""",
    "you": """
        you, you're, youre, your, ur, u, yourself, yours, author, whoever, who wrote, guy, guys, dude, people, he,
        she, he's, she's, they, kid, mate, buddy, bro, pal, boy, moderators, admins, mods, everyone here, everybody
        here, all of you, y'all, du, dich, dein, ihr, bist, eres, sois, tu, t'es, vous, sei, siete, voce, sen, ты,
        вы, jestes, je bent""",
    "insult_word": """
        stupid, dumb, dumber, dumbest, stupidest, stupider, pathetic, ignorant, incompetent, clueless, brainless,
        moronic, idiotic, delusional, illiterate, arrogant, disgusting, laughable, shameless, braindead, brain dead,
        imbecilic, dumm, blod, dammlich, tonto, tonta, tontos, stupido, stupida, glupi, burra, ahlaksiz, тупая,
        неуч, laziest, thickest, useless, rubbish, dreadful, hopeless, dishonest, silly, foolish, lame, rude,
        pompous, smug, petty, spineless, dull, obtuse, unqualified, uneducated, insufferable, unbearable, nasty,
        dimwitted, brainwashed, thickheaded, narrow minded, small minded, simple minded, feeble""",
    "harmless_word": """
        stupid question, stupid questions, dumb question, dumb questions, stupid mistake, stupid mistakes, stupid
        error, stupid typo, sorry, stupid me, silly me, dumb terminal, dumb pipes, i'm, i feel, i felt, my, me
        stupid, me feel, might be stupid, sounds stupid but, no stupid, not stupid, isn't stupid, thick client,
        stupid simple, dumb it down, dumb down, nul values, valeur nul, dumm gelaufen, dumme frage, bin, ridicule
        pas, i was, i am, dumb baseline, stupid baseline, stupidly, ignorant of, useless if, useless when, useless
        for, useless without, useless here, are useless, is useless, hopeless with, useless scores, useless data,
        useless predictions, useless model, useless feature, useless features, useless columns, silly question,
        silly mistake, silly error, silly of me, petty cash, narrow minded model, dull boy""",
    "you_are": """
        you are, you're, youre, ur, u are, u r, you must be, you were, you sound, you look, you seem, are you, you
        being, you people are, you guys are, you lot are, he is, she is, he's, she's, author is, the author is,
        admins are, moderators are, mods are, you all are, you always, you both, site is run by, run by, you really
        are, you have always been, people like you are, du bist, ihr seid, eres, tu es, t'es, vous etes, sei, voce
        e, ты, вы""",
    "worthless": """
        useless, worthless, garbage, trash, rubbish, a joke, a disgrace, disgrace, a fraud, frauds, a liar, liar,
        liars, blind, drunk, hopeless, insane, crazy, mad, lazy, a waste, waste of, embarrassing, an embarrassment,
        embarrassment, ridiculous, a troll, troll, trolling, a fake, not very bright, not very smart, not smart, not
        bright, not the brightest, not the sharpest, not too bright, toxic, unbearable, childish, talking nonsense,
        talking rubbish, talking crap, talking bullshit, too dumb, too stupid, too slow, too thick, beyond help, a
        noob, noob, noobs, an amateur, amateurs, clearly not, dishonest, a monkey, monkeys, an ape, a parrot, un
        inutil, un tonto, zu dumm, zu blod, dumm, slow, laziest, dumbest, stupidest, inutil, idiota, so dense, that
        dense, ugly, weak, old, boring, rude, lame, silly, foolish, cheap, jealous, bitter, fat, obsessed, sad,
        nobody, a coward, a cheat, cheating, a bully, a bore, a beginner, a kid, a baby, a fool, out of your depth,
        out of your league, not an engineer, not an expert, no engineer, no expert, not qualified, too lazy, a
        robot, an embarrassing, incapable, unable to read, unable to think, that stupid, this stupid, the worst,
        worse than, the reason why, living under, not worth, a pest, a nuisance, a show off, wrong as always, always
        wrong, wrong again, wrong as usual, born""",
    "your_words": """
        your comment, your comments, your answer, your answers, your explanation, your explanations, your post, your
        posts, your english, your grammar, your logic, your opinion, your opinions, your reasoning, your reply, your
        advice, your knowledge, your brain, your contribution, your contributions, what you write, what you wrote,
        everything you, every comment you, your face, your site, this explanation, this site, this author, this guy,
        the author, whoever wrote, who wrote, these people, this clown, your attitude, your work, the moderators,
        the admins""",
    "bad_words": """
        garbage, trash, a joke, stupid, dumb, pathetic, idiotic, laughable, worthless, rubbish, embarrassing,
        embarrassment, bullshit, shit, a disgrace, disgrace, dreadful, worst, a monkey, on drugs, an insult, hurts
        my brain, makes me sick, useless, horrible, terrible, disgusting, a disaster, childish, toilet, ridiculous,
        braindead, drunk, blind, so bad, awful, very bad, hurts, an abomination""",
    "harmless_bad": """
        garbage in, garbage out, garbage collection, garbage collector, not stupid, useless without, embarrassing
        parallel, i'm, sorry, like me, blind to, lazy loading, lazy evaluation""",
    "abuse": """
        shut up, shut your, stfu, gtfo, piss off, bugger off, sod off, f off, fuck off, fuck you, fuck this, fuck,
        fucking, fuckin, fck, fcking, f*ck, bullshit, bs artist, screw you, go to hell, drop dead, go die, kill
        yourself, kill urself, kys, hang yourself, eat shit, piece of shit, full of shit, shitty, shithead, nobody
        asked you, no one asked you, nobody asked for your, nobody likes you, no one likes you, nobody cares what
        you, no one cares what you, nobody cares about your, nobody needs you, nobody wants you, nobody wants your,
        no one wants your, nobody will miss you, shame on you, ashamed of yourself, you should be ashamed, get a
        life, learn to read, learn how to read, can you even read, can't you read, cant you read, can't even read,
        cannot even read, unable to read, did you even read, do you even read, are you blind, are you deaf, are you
        drunk, are you stupid, are you dumb, are you high, are you insane, are you mental, are you retarded, are you
        on drugs, are you kidding me, what's wrong with you, whats wrong with you, what is wrong with you, what is
        your problem, what's your problem, have a brain, got a brain, use your brain, half a brain, no brain, brain
        cell, brain cells, brain of a, your tiny brain, pea sized brain, your brain is, engage your brain, turn your
        brain, back to school, back to kindergarten, back to primary school, back to elementary, back to flipping
        burgers, flipping burgers, flip burgers, stacking shelves, sweep floors, how did you ever pass, how did you
        even pass, how did you ever get, how did you even get, how do you even have, people like you, someone like
        you, somebody like you, types like you, pity your, sorry for your team, sorry for your colleagues, sorry for
        your employer, sorry for your students, sorry for your company, feel sorry for your, poor colleagues,
        laughing at you, laugh at you, laughs at you, making fun of you, everyone hates you, everybody hates you, we
        all hate, don't come back, dont come back, never post again, stop posting, stop commenting, stop talking,
        stop embarrassing yourself, stop embarrassing, keep your mouth shut, keep it to yourself, close your mouth,
        nobody wants to hear, delete your account, do us all a favour, do us all a favor, do us a favour, do us a
        favor, do everyone a favour, do everyone a favor, do the world a favour, spare us, save us your, i know
        where you live, know where you work, i will find you, i'll find you, will find out who you, find out where
        you, watch your back, watch yourself, you will regret, you'll regret, you will be sorry, you'll be sorry,
        make you regret, smash your, punch you, punch your, slap you, beat you up, hunt you, waste of space, waste
        of oxygen, waste of air, waste of skin, wasting everyone's, wasting our time, wasting everybody's, quit your
        job, change your job, different career, wrong profession, who hired you, how are you employed, should be
        fired, get fired, i'd fire you, i would fire you, fire you, you don't deserve, not deserve to, hope you
        fail, hope you lose, your mother, your mom, your mum, your mama, ur mom, yo mama, your ugly, ugly face, have
        no clue, have no idea what you, haven't got a clue, hasn't a clue, no clue what you, you know nothing, you
        understand nothing, understand nothing, you never understand, talk nonsense, talking nonsense, talks
        nonsense, talk rubbish, talking rubbish, talk crap, nonsense you, you clearly can't, you clearly cannot, you
        obviously have no, you obviously can't, too lazy to think, too lazy to read, grow up, cry more, cry about
        it, crawl back, crawl under, under your rock, under a rock, you lot, you people, you disgust me, makes me
        sick, make me sick, make me vomit, a monkey could, trained monkey, room temperature iq, low iq, your iq,
        single digit, bought your certificate, bought your certification, paid for your certificate, cheated your
        way, who let you, who let this, born stupid, dropped on your head, dropped as a baby, know your place,
        nobody takes you, take you seriously, so full of yourself, full of yourself, get over yourself, get off your
        high horse, who do you think you are, who the hell, go back to your country, go back to where, in your
        country, learn english, learn proper english, learn some english, learn to write, learn to spell,
        embarrassment to, embarrassing for you, embarrassing yourself, disgrace to, shameful, touch grass, skill
        issue, cope harder, you suck, u suck, you stink, stupid people, stupid person, stupid comment, stupid
        answer, stupid site, stupid author, dumb people, dumb answer, dumb comment, give up already, just give up,
        give up now, you'll never pass, you will never pass, never pass anything, never be an engineer, never make
        it, hopeless case, lost cause, village idiot, court jester, halt die klappe, halt den mund, halt's maul,
        halts maul, halt die fresse, klappe halten, verpiss dich, hau ab, keine ahnung hast du, du hast keine
        ahnung, hast du keine ahnung, du hast ja keine, schamt euch, scham dich, wie dumm, so dumm, zu dumm, bist du
        dumm, dumm bist, ta gueule, ferme la, tais toi, va te faire, degage, casse toi, tu es nul, t'es nul, vous
        etes nuls, quelle honte, n'importe quoi toi, callate, cierra la boca, vete a la mierda, mierda, vete a, no
        tienes ni idea, ni puta idea, que verguenza das, cala a boca, cala boca, vai se, vai a merda, merda, stai
        zitto, vaffanculo, fai schifo, non capisci niente, chiudi la bocca, kapa ceneni, defol, siktir, заткнись,
        закрой рот, пошел ты, иди ты, иди на, сам дурак, не позорься, zamknij sie, spadaj, wal sie, hou je bek, hou
        je mond, rot op, chup kar, chup raho, bakwas, diam kau, get lost and, just get lost, please get lost, so get
        lost, nobody asked for your opinion, nobody asked your, find another job, find a different job, should be
        ashamed, just go away, please go away, go away and, your kind of people, stop writing here, stop writing
        comments, born yesterday, hope they fire you, this dense, so dense, how did someone like, how does someone
        like, get a brain, buy a brain, grow a brain, do you even think, do you even know, do you even understand,
        do you even work, did you even think, did you even study, should not be allowed near, shouldn't be allowed
        near, not be allowed near, shouldn't be allowed, stay away from computers, away from computers, dumbest
        comment, dumbest thing, dumbest answer, dumbest take, dumbest person, dumbest explanation, stupidest
        comment, stupidest thing, stupidest answer, stupidest explanation, you clearly never, you obviously never,
        you have clearly never, you have obviously never, never worked a day, useless person, most useless, lazy
        person, lazy people like, useless people, nobody wants it, keep quiet, be quiet, zip it, hurts to read,
        painful to read, dropped on the head, is reading too hard, is reading so hard, too hard for you, too
        difficult for you, too complicated for you, too thick, so thick, hahaha what a, know nothing people, your
        big mouth, big mouth, your mouth, call yourself an engineer, calls himself, calls herself, call yourself a,
        no wonder you failed, no wonder you fail, you failed because you, a know nothing, hey genius, ok genius,
        nice try genius, well done genius, congratulations genius, bravo genius, einstein, sherlock, captain
        obvious, fascist, nazi, little dictator, take your rubbish, take your nonsense, get off the internet, nobody
        reads your, nobody believes you, nobody will hire you, nobody would hire you, no one would hire you, hope
        you get fired, feel sorry for whoever, i pity, not clever enough, not smart enough, not intelligent enough,
        stay in your lane, mind your own business, boring people, sad little, little man, little boy, little girl,
        poor thing, bless your heart, joke of a, excuse for a, so called expert, wannabe expert, self proclaimed,
        liars, you lie, you are lying, stop lying, stop spreading, stop spamming, stop whining, stop crying, quit
        whining, whining, whiner, moaning again, always you, as usual from you, typical of you, typical you, same
        old nonsense, read before you, think before you type, think before you write, think before you post, think
        before you speak, try thinking, try using your, use your head, wake up people, sheeple, useless comment,
        useless answer, useless post, useless moderators, worst person, worst teacher, worst author, worst
        moderators, waste your life, leave this site, leave this place, get out of here, out of here, i despise, i
        hate you, hate you all, we hate you, can't stand you, sick of you, tired of you, sick of your, tired of
        your, fed up with you, enough of you, not welcome here, you're not welcome, you don't belong, don't belong
        here, not cut out for, never understand this, never learn, never going to pass, never gonna pass, no hope
        for you, beyond saving, need help mentally, see a doctor, see a shrink, take your pills, take your meds, off
        your meds, your reading comprehension, back to your excel, goldfish understands, my goldfish, my toaster,
        whoever has to work with you, has to work with you, slow clap, glad you are not, glad you're not, glad i
        don't work, happy i don't work, happy you are not, remind me never to, remind me not to, who gave you, who
        certified you, how are you certified, where did you get your certificate, did you get your certificate, did
        you get your certification, cereal box, cereal packet, cornflakes, christmas cracker, full of hot air, hot
        air, talk too much, talks too much, utter rubbish, complete rubbish, total rubbish, absolute rubbish,
        absolute garbage, complete garbage, total garbage, pile of garbage, pile of rubbish, utter nonsense, what a
        load, load of rubbish, load of crap, load of garbage, load of nonsense, your stupid, your dumb, your silly,
        your pathetic, your nonsense, your rubbish, your garbage, your lies, your stupidity, your ignorance, your
        arrogance, your laziness, your incompetence, your big ego, your ego, such stupidity, such ignorance, such
        arrogance, so much stupidity, human stupidity, level of stupidity, the stupidity, the ignorance, the
        arrogance, stupidity, checked your other, your other posts, your other comments, every comment of yours,
        every post of yours, all your posts, all your comments, go home, nobody will ever, leave and never, leave it
        to people who, leave this to people, leave it to the grown ups, leave it to adults, grown ups are talking,
        adults are talking, let the adults, when adults, know your real name, your real name, tell your boss, tell
        your employer, told your boss, report you to, where you live, where you work, watch out you, i'll make sure
        you, i will make sure you, make sure you never, you'll see what, we'll see who, wait until i, come over
        there, say that to my face, say it to my face, meet me outside, settle this outside, you will pay, you'll
        pay for, who asked you, who asked for your, nobody needs your, no one needs your, we don't need your, don't
        need people like, don't need your kind, people of your, you and your stupid, and your kind, you and your
        kind, what are you even doing here, what are you doing here, why are you even here, why do you even, are you
        even, do yourself a favour, do yourself a favor, do us the favour, how hard can it be, how difficult can it
        be, how stupid, how dumb, how ignorant, how lazy, how thick, so stupid, so dumb, so ignorant, too ignorant,
        plain stupid, plain dumb, just stupid, just dumb, really stupid, really dumb, very stupid, incredibly
        stupid, unbelievably stupid, dumb as, stupid as, thick as, dense as, as dumb, as stupid, as thick, two short
        planks, box of rocks, sharpest tool, brightest bulb, sharpest knife, lights are on, not all there, screw
        loose, lost your mind, out of your mind, lost your marbles, crawl back under, i've met bricks, a brick,
        houseplant, a chimp, chimpanzee, trained chimp, hamster, better than you, smarter than you, more than you
        ever, than you do, than you ever, more sense than, more brains than, beneath you, laugh at your, laughing at
        your, laughed at your, laughable, lmao at, pathetic attempt, poor attempt, your poor attempt, attention
        seeking, look at me, showing off, show off, copy paste from you, can't even spell, cannot even spell, can't
        spell, learn the alphabet, learn to count, learn grammar, learn to google, have you ever seen a computer,
        ever touched a computer, touched a keyboard, used a computer, switch your brain, use the brain, turn on your
        brain, brain on, without a brain, brain transplant, brainless, no idea about anything, no idea of anything,
        no clue about, not a clue, zero clue, zero idea, clueless people, as clueless as, block you, blocked you,
        ignore this guy, ignore this person, ignore him, ignore her, don't listen to this, don't listen to him, he
        is an, she is an""",
    "harmless_abuse": """
        i should, i need to learn, i feel, i'm, what the hell was i, we should, back to school for me, for me, i
        hope you pass, i hope you all, i hope you enjoy, i hope you get, i hope you find, i hope you have, hope you
        pass, hope you get, hope you enjoy, hope this, can you read the, circus company, another job that, another
        job runs, another job in, batch job, dataflow job, cron job, training job, stop writing to, stop writing
        and, stop posting to, ratio of, sit down exam, dispatch, i have no idea, i have no clue, sorry, aspect
        ratio, class ratio, signal ratio, compression ratio, split ratio, to noise, sampling ratio, loss ratio, odds
        ratio, likelihood ratio, hit ratio, cache hit, the ratio, a ratio, conversion ratio, i learn english, to
        read the, to read a, to read these, read the last, read it, i still learn, i am, leave it at, leave it on,
        leave it as, leave it out, leave it to, leave it running, stick to the, sheep farm, data moves out of, the
        model, models, mock, get help from, get help in, get help here, sheep farmer, counting sheep, never learn
        from, sheep breeder, boundaries, no clue about this, i really have, show off the, the same as, i had no,
        used a computer vision, look at me like, a brick of, me so, i was so, i am so, felt so, i felt, how stupid
        of me, how dumb of me, how silly of me, of me, hamster wheel, for dummies""",
    "vote": """
        upvote, upvotes, up vote, up votes, vote, votes, thumbs up, thumb up, helpful, karma, reputation, voto,
        votos, vota, stimme, stimmen, voten, aime, pouce, likes please, give likes, likes, a like, thumb, thumbs,
        the arrow, arrow, heart button, the heart""",
    "plead": """
        please, pls, plz, plss, pliz, kindly, need, give, gimme, help me, everyone, everybody, guys, friends, all of
        you, let's, lets, let us, can you, can u, could you, could u, would you, i want, i need, smash, por favor,
        bitte, svp, s'il vous plait, per favore, lutfen, spare, boost, collecting, collect, begging, beg,
        appreciate, appreciated, can i get, get some, get me, don't forget to, do not forget to, dont forget to,
        remember to, click, press, hit, tap, deserves, deserve, want, wants, ask for, asking for, pleasee, pleeease""",
    "vote_strong": """
        upvote this, upvote me, upvote my, upvote if, upvote please, upvote pls, upvote so, upvote it, upvote for,
        upvote and, upvotes please, upvote guys, up vote this, up vote me, up vote my, up vote if, up vote please,
        up vote so, vote me, vote me up, vote for me, vote up, vote my, vote this, vote this up, vote it up, vote
        below, vote here, vote helpful, vote back, vote for vote, vote 4 vote, vote for a vote, like for like, like
        4 like, l4l, f4f, sub for sub, follow for follow, like this comment, like if you agree, like and share, like
        & share, like and subscribe, likes please, thumbs up if, thumbs up please, thumbs up for me, give me a
        thumbs, give a thumbs, mark this as helpful, mark as helpful, mark it helpful, mark this helpful, mark me
        as, helpful button, press helpful, click helpful, hit helpful, tap helpful, hit the like, smash that, smash
        like, give me points, give me votes, give me vote, give me your vote, give your vote, need votes, need vote,
        more upvotes, votes needed, votes away, likes away, votes short, everybody vote, everyone vote, all vote,
        let's all vote, lets all vote, let's vote, vote everyone, vote guys, downvote him, downvote the, don't
        downvote, share with your friends, share it with your friends, for the badge, get the badge, get my badge,
        for my badge, push it up, bump this, dale like, denme like, vota por, votad, voten por, dejen su like,
        daumen hoch, stimmt fur, bitte voten, gebt mir, mettez un pouce, votez, votez pour, likez, curte ai, deixa o
        like, votate, begenin, oy verin, лайк, лайкните, ставьте лайк, плюсуйте, голосуйте, some upvotes, drop a
        like, leave a like, hit like, press like, tap like, likes for, need likes, get likes, top comment please,
        downvote this, give me a like, like and comment, everyone upvote, everybody upvote, please upvote, pls
        upvote, upvotes appreciated, points for the badge, points for my badge, more points, vote d, vote a please,
        vote b please, vote c please, vote d please, like my comment, like my post, like my answer, like my tip,
        like this post, like this answer, please like this, please like the, please like and, pls like, click on
        helpful, click on the helpful, the helpful button, on helpful, becomes the top, become the top, top answer,
        vote for a please, vote for c please, please vote, pls vote, plz vote, vote please, upvote plz, upvotes plz,
        vote plz, vote pls, upvote thx, everyone who upvotes, i upvote everyone, press the arrow, top spot, 1 like,
        one like, share and like, share & like, like share, all mark, mark b as correct, let us vote, let us all
        vote, the thumb, thumb please, don't forget to like, appreciate an upvote, appreciate a vote, appreciate a
        like, appreciate your vote, i'd appreciate votes, votes appreciated, likes appreciated, more helpful votes,
        helpful votes, as helpful please, show your support, support my comment, support my post, boost my, boost
        this, my first badge, for a badge, next badge, my reputation, my karma, my score up, my points, my ranking,
        get it to the top, bring it to the top, bring this to the top, push it to the top, push this to the top, to
        the top please, make this the top, make it the top, vote the other, vote him down, vote it down, vote this
        down, vote them down, vote her down, downvote it, downvote b, downvote the other, downvote all, comment yes
        if, like if yes, reshare, tag a friend, tag your friends, tag three, nobody votes, no one votes, vote my
        comment, vote on my, votes on my, votes for my, my comment more, like on my, green arrow, up arrow, the up
        arrow, upward arrow, press the heart, hit the heart, click the heart, click the arrow, vote count up, get me
        to, deserves more, vote if you, upvote when, vote when, upvote to, vote to help, up votes please, upvote
        back, up vote back, exchange votes, swap votes, trade votes, votes exchange, vote exchange, vote swap,
        mutual votes, i will vote for yours, i vote yours, vote yours, i will upvote, i upvote back, upvote all,
        upvote your, vote your comments""",
    "voting_model": """
        voting classifier, majority vote, hard voting, soft voting, ensemble, trees vote, each tree, neighbours
        vote, neighbors vote, nearest, raft, quorum, my vote, i vote, i'd vote, i would vote, community vote, why
        the downvote, up vote for terraform, bumped, bump the, bump up, version bump, bump version, table, column,
        poll app, voting app, app, survey, user, users, votes table, likes table, rating column, customer,
        customers, recommendation, i upvoted, trees, more points than, learners vote, models vote, raters,
        committee, tweets, retweets, retweeted, leaderboards, game, gaming, players, player""",
    "schooling": "primary school, kindergarten, elementary school, nursery school, grundschule, kindergarden",
    "embarrassing": "embarrassing, shameful, what a joke, a total joke, disgraceful",
    "belittle": """
        how little, the first thing about, clever enough, smart enough, goldfish, potato, potatoes, monkey, monkeys,
        ape, apes, parrot, grandpa, grandma, amateur, amateurs, noob, noobs, helpdesk boy, gardening, mcdonald's,
        mcdonalds, burgers, brain, brains, hopeless, crayons, toddler, infant, moronically, embarrassed yourself,
        disgrace, laughable, incapable, unable to think, unable to read, know nothing, knows nothing, no skills,
        zero skills, no talent, zero knowledge, no knowledge, no understanding, never understood, bother us,
        bothering us, goldfish understands""",
    "harsh": """
        pathetic, moronic, idiotic, brainless, braindead, laughable, shameless, dimwitted, imbecilic, clownish, know
        it alls, noob, noobs, despicable, repulsive, vile, nasty people, ridiculous people, lazy people, ignorant
        people, arrogant people""",
    "self": """
        i'm, i am, i was, me, myself, noob here, noob question, as a noob, for noobs, feel, felt, four, a complete
        beginner, beginner here, my own""",
    "harsh_about": """
        dumb, stupid, useless, ridiculous, idiotic, pathetic, moronic, worthless, garbage, trash, laughable, crappy,
        shit, rubbish, lousy, dreadful, clueless, ignorant, arrogant, lazy, incompetent, imbecilic, terrible, brain
        dead""",
    "about": """
        reply, replies, comment, comments, answer, answers, post, posts, remark, statement, opinion, take, author,
        authors, people, person, moderator, moderators, admins, admin, site, website, explanation, explanations,
        crowd, community, question""",
    "humble": """
        sorry, maybe, perhaps, my, newbie, might be, i know, no stupid, not a stupid, probably, possibly, i'm, i,
        excuse, simple, beginner, lazy person's, terrible at, terrible latency, option""",
    "intense": """
        absolute, absolutely, complete, completely, total, totally, utter, bunch of, pack of, herd of, you, typical,
        such a, such an, what a, what an, bloody, stupid, little, old, silly, lazy, ignorant, biggest, poor, sad,
        arrogant, incompetent, clueless, useless""",
    "mild_noun": """
        fool, fools, amateur, amateurs, joke, disgrace, baby, babies, monkey, monkeys, goat, goats, cow, cows,
        chicken, rat, rats, snake, worm, parrot, ape, apes, cabbage, turnip, fraud, fake, bore, liar, liars, cheat,
        cheater, thief, thieves, bully, pest, nuisance, embarrassment, know it all, dinosaur, sucker, dummy,
        dummies, dope, beginners""",
}
