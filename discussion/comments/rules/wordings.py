"""What is said to people in fixed words: the rule where they write, and what a rejection means."""

from __future__ import annotations

RULE = (
    "Write what you know and can show from public documentation. Never write what a real exam asked: not the question, "
    "not an option, not “this came up”. Whoever sat the exam has promised not to, and such comments are removed. "
    "No links to dumps, no addresses, no telephone numbers."
)
EXPLAINED = {
    "leak": "It holds, or seems to hold, content of a real exam. We take none of that, also not from memory: everybody "
    "who sits the exam agrees not to pass it on, and the site would not be allowed to exist with it. "
    "The idea behind the question, in your own words and with a public source, is welcome.",
    "advert": "It advertises something, or leads to a page that does not help with this question. "
    "Name the page of the vendor’s documentation instead; people find it.",  # noqa: RUF001
    "abuse": "It speaks of a person in a way that hurts. Disagree as hard as you like with what somebody says.",
    "personal": "It holds an address, a number or another way to reach a person. Everybody can read what stands here.",
    "off-topic": "It is not about this question. Under the question it belongs to, it would be welcome.",
    "repeated": "The same is said here already. A helpful vote for that comment says that you agree.",
    "unreadable": "We could not make out what it says. Please write it again, in plain sentences.",
    "other": "",
}
