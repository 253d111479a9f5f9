"""Cross-site scripting as people try it in comments: our own payloads, and a published list (data/README.md).

Each of our own sets ``OWNED`` if it runs; those of the published list open a dialog.
"""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path

PUBLISHED_AT = Path(__file__).parent / "data" / "bleach-6.4.0"
REFERENCE = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]+);", re.IGNORECASE)
OPTION = "Thing 1 of 1"
OWNED = "window.owned=1"
CALL = "owned()"

OWN = [
    f"<script>{OWNED}</script>",
    f"<SCRIPT>{OWNED}</SCRIPT>",
    f"<scr<script>ipt>{OWNED}</scr</script>ipt>",
    f"<script\n>{OWNED}</script\n>",
    f"<script/x>{OWNED}</script>",
    f"<script src=data:text/javascript,{OWNED}></script>",
    f"<script type=module>{OWNED}</script>",
    f"<<script>{OWNED}//<</script>",
    f"<img src=x onerror={OWNED}>",
    f'<img src="x" onerror="{OWNED}">',
    f"<img src=`x` onerror=`{OWNED}`>",
    f"<img/src/onerror={OWNED}>",
    f"<IMG SRC=x OnErRoR={OWNED}>",
    f"<img src=x onerror\n=\n{OWNED}>",
    f'<img """><script>{OWNED}</script>">',
    f"<image src=x onerror={OWNED}>",
    f"<svg onload={OWNED}>",
    f"<svg/onload={OWNED}//",
    f"<svg><script>{OWNED}</script></svg>",
    f"<svg><animate onbegin={OWNED} attributeName=x dur=1s>",
    f"<svg><a xlink:href='javascript:{OWNED}'><text x=20 y=20>press</text></a></svg>",
    f"<svg><set attributeName=onmouseover to='{OWNED}'>",
    f"<svg><foreignObject><iframe srcdoc='<script>{OWNED}</script>'></foreignObject></svg>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={OWNED}></style></mglyph></table></mtext></math>",
    f"<math href='javascript:{OWNED}'>press</math>",
    f"<body onload={OWNED}>",
    f"<iframe src='javascript:{OWNED}'></iframe>",
    f"<iframe srcdoc='<script>parent.{OWNED}</script>'></iframe>",
    f"<object data='javascript:{OWNED}'></object>",
    f"<embed src='javascript:{OWNED}'>",
    f"<form action='javascript:{OWNED}'><button>press</button></form>",
    f"<button formaction='javascript:{OWNED}'>press</button>",
    f"<input autofocus onfocus={OWNED}>",
    f"<select autofocus onfocus={OWNED}>",
    f"<textarea autofocus onfocus={OWNED}></textarea>",
    f"<details open ontoggle={OWNED}><summary>x</summary></details>",
    f"<video><source onerror={OWNED}></video>",
    f"<video src=x onerror={OWNED}></video>",
    f"<audio src=x onerror={OWNED}></audio>",
    f"<marquee onstart={OWNED}>moves</marquee>",
    f"<style>@import 'javascript:{OWNED}';</style>",
    f"<link rel=stylesheet href='javascript:{OWNED}'>",
    f"<meta http-equiv=refresh content='0;url=javascript:{OWNED}'>",
    f"<base href='javascript:{OWNED}//'>",
    f"<div style='background:url(javascript:{OWNED})'>styled</div>",
    f"<div onmouseover={OWNED} style='position:fixed;inset:0'>over all</div>",
    f"<a href='javascript:{OWNED}'>press</a>",
    f"<a href='java&#115;cript:{OWNED}'>press</a>",
    f"<a href='jav\tascript:{OWNED}'>press</a>",
    f"<template><script>{OWNED}</script></template>",
    f"<noscript><p title='</noscript><img src=x onerror={OWNED}>'></noscript>",
    f"<title><img src=x onerror={OWNED}></title>",
    f"<xmp><img src=x onerror={OWNED}></xmp>",
    f"<![CDATA[<script>{OWNED}</script>]]>",
    f"<!--><img src=x onerror={OWNED}>-->",
    f"<!-- --!><img src=x onerror={OWNED}>",
    f"<?xml version='1.0'?><script>{OWNED}</script>",
    f"</textarea><script>{OWNED}</script>",
    f"</p></article><script>{OWNED}</script>",
    f"&lt;script&gt;{OWNED}&lt;/script&gt;",
    f"&#60;img src=x onerror={OWNED}&#62;",
    f"&amp;lt;img src=x onerror={OWNED}&amp;gt;",
    f"[press](javascript:{OWNED})",
    f"[press](JaVaScRiPt:{OWNED})",
    f"[press]( javascript:{OWNED})",
    f"[press](<javascript:{OWNED}>)",
    f"[press](javascript&colon;{OWNED})",
    f"[press](javascript&#58;{OWNED})",
    f"[press](java\\script:{OWNED})",
    f"[press](data:text/html,<script>{OWNED}</script>)",
    f"[press](data:text/html;base64,PHNjcmlwdD5vd25lZCgpPC9zY3JpcHQ+ '{CALL}')",
    f"[press](vbscript:{CALL})",
    f'[press](https://a.example/" onmouseover="{OWNED})',
    f"[press](https://a.example 'x\" onmouseover=\"{OWNED}')",
    f"[press](https://a.example \"title' onmouseover='{OWNED}\")",
    f"[<img src=x onerror={OWNED}>](https://a.example)",
    f"![x](javascript:{OWNED})",
    f'![x" onerror="{OWNED}](https://a.example/x.png)',
    f"<javascript:{OWNED}>",
    f'<https://a.example/"onmouseover="{OWNED}>',
    f"[a]: javascript:{OWNED}\n\n[a] and [press][a]",
    f"```html\n</code></pre><script>{OWNED}</script>\n```",
    f'```x" onmouseover="{OWNED}\ncode\n```',
    f'``` {{ .x onmouseover="{OWNED}" }}\ncode\n```',
    f"`</code><script>{OWNED}</script>`",
    f"    </code></pre><img src=x onerror={OWNED}>",
    f"> <script>{OWNED}</script>",
    f"- <img src=x onerror={OWNED}>",
    f"**<svg onload={OWNED}>**",
    f"{{option:1}}<img src=x onerror={OWNED}>",
    f"{{option:<script>{OWNED}</script>}}",
    f"\u0002wzxhzdk:0\u0003<script>{OWNED}</script>",
    f"klzzwxh:0001<img src=x onerror={OWNED}>",
    f"\ue000<script>{OWNED}</script>\ue001",
    f"<img src=x\u00a0onerror={OWNED}>",
    f"\uff1cscript\uff1e{OWNED}\uff1c/script\uff1e",
    f"<\u0000script>{OWNED}</script>".replace("\u0000", ""),
    f"<a href='x' data-hx-get='/' data-hx-trigger='load' data-hx-on:click='{OWNED}'>press</a>",
    f"<div data-hx-get='/accounts/logout/' data-hx-trigger='load'>{CALL}</div>",
    f"<button name=insert data-insert='{CALL}' data-into=x>press</button>",
    f"<x contenteditable onblur={OWNED}>lose focus</x>",
    f"<p id=main class=notice hidden>{CALL}</p>",
    "{{ request.user.email }} {% url 'home' %} ${7*7} #{7*7}",
]


# The visible part of a payload where it differs: a link without its address, code without its language.
SHOWN = {
    f'[press](https://a.example/" onmouseover="{OWNED})': "press",
    f"[press](https://a.example 'x\" onmouseover=\"{OWNED}')": "press",
    f"[press](https://a.example \"title' onmouseover='{OWNED}\")": "press",
    f"[<img src=x onerror={OWNED}>](https://a.example)": f"<img src=x onerror={OWNED}>",
    f"```html\n</code></pre><script>{OWNED}</script>\n```": f"</code></pre><script>{OWNED}</script>",
    f'``` {{ .x onmouseover="{OWNED}" }}\ncode\n```': "code",
    f"{{option:1}}<img src=x onerror={OWNED}>": f"{OPTION}<img src=x onerror={OWNED}>",
}


def published_files() -> list[Path]:
    """Return the files of the published list, in its order."""
    return sorted(PUBLISHED_AT.glob("*.test"), key=lambda file: int(file.stem))


def _published() -> list[str]:
    return [file.read_text().partition("\n--\n")[0] for file in published_files()]


def _given() -> list[str]:
    """Return the payloads in the file that XSS_CORPUS names, one on each line."""
    path = os.environ.get("XSS_CORPUS")
    return [line for line in Path(path).read_text().splitlines() if line.strip()] if path else []


PUBLISHED = _published()
PAYLOADS = list(dict.fromkeys([*OWN, *PUBLISHED, *_given()]))


def letters(text: str) -> str:
    """Return the letters and digits of a text in order, without Markdown's punctuation."""
    while (plain := REFERENCE.sub(lambda found: unescape(found.group()), text)) != text:
        text = plain
    return "".join(re.findall(r"[^\W_]", text))


def readable(payload: str) -> str:
    """Return all the letters of this payload that readers see."""
    return letters(SHOWN.get(payload, payload))
