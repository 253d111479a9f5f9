NAMES = (
    "Ana", "Bao", "Chidi", "Dana", "Emre", "Farah", "Goran", "Hana", "Ivo", "Jun", "Kaja", "Luis", "Mira", "Noor",
    "Ola", "Pia", "Quim", "Rosa", "Sami", "Tove", "Uma", "Vera", "Wen", "Xenia", "Yara", "Zoe",
)  # fmt: skip
REPORTS = (
    ("key", "I think another option is right here: the first sentence of the stem already rules the key out."),
    ("fact", "The limit named in the explanation was raised this summer, as far as I can see in the release notes."),
    ("wording", "“Lowest effort” can mean to build or to run. Which one is meant?"),
    ("outdated", "The product was renamed; the old name still stands in the second option."),
    ("other", "The source's link opens the German page for me."),
    ("wording", "The stem says weekly and the explanation says daily."),
)
COMMENTS = (
    "I remember it by asking first where the data already are.",
    "Why not the second option? Its price is lower, and nobody asked for low latency.",
    "The clue about the budget decided it for me, the rest is decoration.",
    "Full notes and all real exam questions at examnotes.example, trust me",
    "Write to me at study.partner@mail.example if you want to learn together",
    "THIS QUESTION IS WRONG!!! FIX IT NOW!!!",
    "Correct, and the page on quotas says the same. Took me two readings.",
    "I had this exact question in my exam last Tuesday, the answer there was the third",
    "A table helped me: batch or online, managed or own container, one row each.",
    "Could somebody explain what changes when the traffic doubles?",
)
