"""The words of the signs in other languages: selling, exams, money, contact; entries are parted by commas."""

# ruff: noqa: RUF001 (words of other alphabets)

FAMILIES = {
    "foreign:exam:2": """
        examen, examenes, examens, l'examen, d'examen, prufung, prufungen, prufungsfrage*, pruefung*, klausur, prova,
        provas, exame, exames, esame, esami, d'esame, dell'esame, l'esame, sinav*, экзамен*, егзамін*, іспит*,
        egzamin*, ujian, tentamen, de thi, ky thi, zkouska, zkousky, vizsga*, tentti, eksamen*, certificado,
        certificados, certificacion*, certificacao, zertifikat*, zertifizierung*, certificat, certificats,
        certificato, certificati, certificazione, certificazioni, sertifika*, сертификат*, certyfikat*, sertifikat*,
        chung chi, diploma, diplomas, diplom, диплом*, titulo, titulos, fuhrerschein*, pareeksha, questoes, gabarito,
        soal""",
    "foreign:questions:1": """
        preguntas, respuestas, perguntas, respostas, domande, risposte, fragen, antworten, losungen, loesungen,
        sujets, corriges, reponses, sorular*, cevap*, вопрос*, ответ*, pytania, pytan, odpowiedzi, jawaban, kunci
        jawaban, vragen, antwoorden, soru, otazky, odpovedi, kerdesek, fragor, svar, dap an, banco de, banque de,
        banca dati, volcado, volcados, дамп*, слив*, filtrad*, vazad*, fuite, trapelat*, geleakt*, bocoran, sizdir*,
        wyciek*""",
    "foreign:real:1": """
        real, reales, reais, reali, vraies, vrais, echte, echten, originale*, originales, originais, aktuell*,
        actualizad*, atualizad*, aggiornat*, gercek*, guncel*, cikmis*, реальн*, настоящ*, актуальн*, свеж*,
        prawdziw*, aktualn*, asli, terbaru, nieuwste, echt, moi nhat, ultim*, nuev*, novas, nuove, neue, neuesten,
        yeni, новые, nowe, verdader*, mai, mayo, mei, diciembre, dicembre, dezembro, session, sesion, sessao,
        sessione""",
    "foreign:sell:2": """
        vendo, vende, venden, venta, vendemos, vends, vendre, vente, vendesi, verkauf*, biete, zu verkaufen, venda,
        vendas, satilik, satiyor*, satis*, продам*, продаю*, продаж*, продает*, sprzedam, sprzedaz*, jual, menjual, te
        koop, verkoop*, ban, prodam, elado, saljes, salg, kaufen, kaufe, comprar, compro, compra, compre, compren,
        acheter, achetez, achete, acquista*, comprare, koop, kopen, beli, satin al*, куплю, купить, купи, kupie,
        kupic, kup, mua, bestellen, bestellt, pedir, pedido, commander, commandez, ordina, siparis, заказ*, zamow*,
        pesan, oferta, ofertas, ofrezco, ofrecemos, ofereco, oferecemos, offro, offre, offres, angebot*, promocion*,
        promocao, promozione, promo, kampanya, акци*, предлага*, promocj*, diskon, tengo, tenho, elimde, disponible*,
        disponivel, disponibil*, verfugbar, dispo, erhaltlich, tersedia, dostepne, mevcut, entrega""",
    "foreign:want:1": """
        busco, necesito, procuro, preciso, cerco, cherche, suche, brauche, ariyorum, lazim, ищу, нужны, нужен, szukam,
        potrzebuje, cari, butuh, zoek, alguien, alguem, qualcuno, quelqu'un, jemand, kimde, кто, ktos, ada yang,
        iemand, quien, quem, wer, chi, qui a, por favor, bitte, s'il vous plait, lutfen, пожалуйста, tolong, manda*,
        enviar, envia*, envoy*, schick*, send*, gonder*, скиньте, пришлите, wyslij, kirim, stuur, pasen, pasa""",
    "foreign:sure:2": """
        за вас, за тебя, вместо вас, a ma place, a votre place, an deiner stelle, en tu lugar, no seu lugar, al posto
        tuo, senin yerine, yerinize, joki, предоплат*, garanti*, garantiz*, garantit*, garantid*, garantia, garantie,
        garantiert*, bestehensgarantie, sicher bestehen, superamento, aprobacion, aprobado, aprobar, aprovacao,
        aprovado, aprovados, reussite, bestehen, bestanden garantiert, zdawalnosc*, zdasz, gecme, gecersiniz,
        гарантия, гарантир*, гарантию, сдать, dijamin, lulus, slagen, dam bao, bao dau, 100 seguro, sin estudiar, sem
        estudar, sans etudier, ohne lernen, ohne prufung, sin examen, sem prova, sans examen, senza esame, senza
        studiare, sinava girmeden, sinavsiz, без экзамен*, bez egzaminu, tanpa ujian, zonder examen, sin requisitos,
        sin papeleo, sin aval, sans justificatif*, ohne schufa, senza busta paga, sem consulta, kefilsiz, без залога,
        bez bik, tanpa jaminan, bezahlung nach, pago despues, pago tras, paiement apres, pagamento dopo, pagamento
        apos, bayar setelah, оплата после, sin riesgo, sem risco, sans risque, ohne risiko, senza rischio, risiko""",
    "foreign:contact:2": """
        contact*, contatt*, contat*, contattatemi, kontakt*, escrib*, escrev*, ecriv*, scriv*, schreib*, yazin, yaz,
        yazsin, ulas*, iletisim, mesaj, пиши*, напиши*, обращ*, звони*, личк*, лс, napisz, pisz, piszcie, priv,
        hubungi*, japri, wa, chat, lien he, inbox, ib, zalo, stuur, mp, privado, prive, privato, privat, pv, dm, pn,
        whatsapp*, whatsap*, zap, zapzap, telegram*, вотсап*, телеграм*, meld*, melden, interesse, interesados,
        interessados, interesses, interessati, interess*, llama*, ligue, appelez, chiama*, ruf*, arayin, mande,
        mandame, mandem, fale, fala, hable*, parla*, chama, profil, perfil, profilo, profile, bio, enlace, link, lien,
        linki, ссылк*, klik, clic, click, clique*, cliquez, clicca, klick*, tikla*, жми, kliknij, haz clic, visita*,
        visitez, besuch*, ziyaret, заходи*, переход*, odwiedz*, kunjungi, registr*, inscri*, iscriv*, anmeld*, abonn*,
        abonne*, suscrib*, inscreva*, kaydol*, подпис*, zapisz, daftar, unete, participa, participe, rejoignez, entre
        no, entra no, entra en, grupo, groupe, gruppe, gruppo, kanal*, канал*, canal""",
    "foreign:money:2": """
        dinero, dinheiro, plata, geld, argent, fric, soldi, denaro, para kazan*, деньг*, денег, pieniadz*, uang, duit,
        tien, penge, pengar, rahaa, penize, penzt, bani, euro, euros, eur, dolares, dolar, dolarow, рублей, руб,
        reais, rupiah, lira, tl, zl, zlotych, pesos, precio, precios, preco, precos, preis*, prix, prezzo, prezzi,
        fiyat*, цен*, cena, ceny, harga, prijs*, gia re, barat*, baratos, gunstig*, billig*, pas cher, economic*,
        ucuz, дешев*, недорого, tanio, tani, murah, goedkoop, descuento*, desconto*, rabatt*, reduction, reductions,
        sconto, sconti, indirim*, скидк*, znizk*, diskon, korting*, gratis, gratuit*, gratuito, kostenlos*, ucretsiz,
        bedava, бесплатн*, darmow*, pago, pagos, pagamento, paiement, bezahl*, zahl*, paie, paye, odeme, оплат*,
        platnosc*, bayar, betaal*, cuotas, parcelas, bulan""",
    "foreign:earn:3": """
        gana, ganar, ganas, gane, ganando, ganancia*, ganhe, ganhar, ganhando, ganhos, verdien*, verdienst*, gagne*,
        gagner, gagnez, guadagn*, kazan*, kazanc*, заработ*, зарабат*, zarob*, zarab*, penghasilan, cuan, bijverdien*,
        kiem tien, ingresos, ingreso, renda, revenus, revenu, reddito, einkommen, gelir, доход*, dochod*, reich wurde,
        reich werden, riqueza, rico, riche, ricco, zengin, invert*, inversion*, invest*, yatirim*, инвест*, вложен*,
        trading, cripto*, krypto*, крипт*, bitcoin*, retorno*, rendimiento*, rendement*, rendite*, lucro*, profit*,
        beneficio*, zysk*, nebenbei, nebenjob, desde casa, em casa, da casa, chez vous, von zuhause, von zu hause,
        evden, из дома, na dyskie, dari rumah""",
    "foreign:vice:4": """
        casino*, casinos, cassino*, kasino*, kasyno, казино, tragamonedas, tragaperras, ruleta, apuesta*, aposta*,
        apostas, wetten, sportwetten, paris sportif*, scommess*, bahis*, iddaa, ставк*, zaklad*, judi*, slot*, gacor,
        togel, gokken, ca cuoc, freispiele, giros gratis, rodadas gratis, tours gratuits, giri gratis, free spin*,
        prestamo*, emprestimo*, pret entre, pret rapide, prets, kredit*, kredi, credito rapido, credit rapide,
        prestit*, кредит*, займ*, pozyczk*, chwilowk*, pinjaman, lening*, vay tien, seguidores, abonnes, follower*,
        seguaci, takipci*, подписчик*, накрут*, obserwujacych, volgers, likes reais, potenz*, abnehmen, adelgaz*,
        bajar de peso, kilos, emagrec*, perdre du poids, dimagr*, zayifla*, похуде*, schudn*, marabout, voyant*,
        vidente, tarot, tarocchi, wahrsag*, amarre*, brujo, bruja, brujeria, medium, sexe, sexo, sesso, sex,
        rencontre*, citas, incontri, tanisma, знакомств*, randki, prostata, viagra, pastillas, pildoras, pilules,
        pillen""",
    "foreign:study:-4": """
        aprobe, passei, reussi, bestanden, superato, gracias, obrigad*, merci, danke, grazie, tesekkur*, спасибо,
        dzieki, explicacion*, explicacao, explication*, erklarung*, spiegazione, aciklama*, объяснен*, respuesta
        correcta, resposta correta, la reponse, risposta corretta, richtige antwort, option, opcion*, opcao, opzione,
        enunciado, aufgabe*, datos, dados, donnees, dati, daten, veri, modelo, modele, modello, modell, bucket, vpc,
        bigquery, subred*, cluster, reseau*, netzwerk*, rete, maquina*, machine, instancia*, instanz*, istanza,
        latencia, latenz, latence, region, regiones, zona, zonen, zones, cuenta de servicio, compte de service,
        dienstkonto, servicekonto, account, proyecto, projeto, projet, projekt, progetto, cpu, gpu, storage,
        speicher*, almacenamiento, kubernetes, cloud run, pub sub, sql, iam, documentacion, documentacao,
        documentation, dokumentation, documentazione, doku, ucuncu, porque, weil, parce que, perche, porque no""",
    "on_topic": """
        overlook*, service, services, wording, renam*, retired, preview, ga, booking, proctor*, english, language,
        number of, trade off, requirement, sharing your, word, words, acronym*, term, terms, product, products,
        feature, name, names, minimal, team, option*, answer*, explanation*, explain*, documentation, docs, cloud*,
        vertex*, bigquery, bq, bqml, bigtable, spanner, sql, dataflow, dataproc, dataset*, data, pub sub, gke,
        kubernetes, k8s, cluster*, node*, pod*, container*, docker*, vm, vms, machine*, instance*, disk*, snapshot*,
        bucket*, storage, nearline, coldline, archive, lifecycle, iam, role*, permission*, polic*, service account*,
        project*, folder*, organization*, organisation*, vpc, subnet*, network*, firewall*, peering, vpn,
        interconnect, nat, dns, load balanc*, lb, autoscal*, latency, throughput, region*, zone*, zonal, multi*, cpu,
        gpu*, tpu*, memory, ram, quota*, log, logs, logging, monitor*, metric*, alert*, dashboard*, model*, train*,
        accuracy, precision, recall, f1, auc, roc, rmse, mae, loss, gradient*, overfit*, regulari*, feature*, label*,
        embedding*, neural, classif*, regress*, kmeans, tree*, ensemble*, predict*, serving, inference, batch, online,
        stream*, pipeline*, kubeflow, tfx, tensorflow, keras, pytorch, sklearn, xgboost, automl, skew, drift, bias,
        hyperparameter*, epoch*, checkpoint*, notebook*, json, yaml, csv, api*, sdk, cli, gcloud, gsutil, terraform,
        command*, script*, python, java, node js, code, encrypt*, cmek, kms, dlp, key*, token*, secret*, cost*,
        billing, budget*, price per, gb, tb, mb, ms, server*, serverless, managed, app engine, function*, run,
        deploy*, rollout*, replica*, endpoint*, version*, canary, traffic, request*, query, queries, table*,
        partition*, column*, row*, join*, schema*, window*, timestamp*, cache*, redis, memorystore, backup*, restore*,
        migrat*, import*, export*, failover, availability, sla, slo, sre, incident*, requirement*, scenario, story,
        stem, typo, section, chapter, guide, rfc, protocol*, ip, tcp, http, https, port, ssl, tls, cert manager,
        oauth, jwt, ssh, bastion, proxy, least, privilege, hybrid, on premises, onprem, legacy, config*, parameter*,
        default*, setting*, algorithm*, statistic*, mean, median, variance, probabilit*, distribution*, sample*,
        outlier*, normali*, vector*, matrix, modelo, modell, daten, datos, datas, donnees, dati, respuesta, antwort,
        reponse, risposta, resposta, opcion, opzione, opcao, erklarung, explicacion, explication, difference,
        unterschied, diferencia, means, meaning, thanks, thank, thx, ty, merci, gracias, danke, obrigado, grazie,
        understood, clear, flashcard*, study, studying, studied, mock*, practice, practise, prep, learn, lab, labs,
        hands on, weak, luck, nervous, hours, failed, prefer, disagree, agree, correct, wrong, right, because,
        therefore, since, instead of, doubt, table""",
}
