"""What text in a language looks like: for comparing readings of the same bytes in several encodings."""

from __future__ import annotations

from collections.abc import Callable

Weight = Callable[[str, str, str], float]
"""The weight of a character between its neighbours."""
# Letters besides a to z: the usual ones, those that are rare in words, and those that end words.
WESTERN = {
    "French": ("éèàêç", "âîïôùûëüœæÿ", ""),
    "German": ("äöüß", "", ""),
    "Spanish": ("áéíñó", "úü", ""),
    "Portuguese": ("ãáçéíóêú", "âôàõ", ""),
    "Italian": ("é", "", "àèìòù"),
    "Dutch": ("ëé", "áïóöü", ""),
    "Swedish": ("åäö", "é", ""),
    "Danish": ("æøå", "é", ""),
    "Icelandic": ("áðéíóúýþæö", "", ""),
    "Catalan": ("àéèí", "çïòóúü", ""),
}
CENTRAL = {
    "Polish": ("ąćęłńóśźż", "", ""),
    "Czech": ("áčéěířšýž", "ďňóťúů", ""),
    "Slovak": ("áčéíľšťúýž", "äďĺňóôŕ", ""),
    "Hungarian": ("áéíóöőü", "úű", ""),
    "Romanian": ("ăâîşţ", "", ""),
    "Croatian": ("čćđšž", "", ""),
}
CYRILLIC = {
    "Russian": ("абвгдежзийклмнопрстуфхцчшщъыьэюяё", "", ""),
    "Ukrainian": ("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", "", ""),
    "Bulgarian": ("абвгдежзийклмнопрстуфхцчшщъьюя", "", ""),
}
# Punctuation that occurs between words, and punctuation that occurs within one.
SIGNS = frozenset("¿¡«»‘’“”„–—…€£°§·•™®©×÷²³½¼µº№\xa0")  # noqa: RUF001
INSIDE = frozenset("’·\xad")
CYRILLIC_FROM = "\u0400"
FULL_WIDTH = frozenset("、。，．？！：；（）「」『』【】《》〈〉“”‘’…—・ー　～％＋－＝／０１２３４５６７８９ＡＢＣＤ")  # noqa: RUF001
COMMON = {
    "gb18030": frozenset(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种"
        "事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力它与长把机十民第公此"
        "已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体政美相见被利什二等产或新己制身果加西月话合回特代内"
        "信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四总何电数安少报"
        "结反受目太量再感建务做接必场件计管期市直资命山金指许统区保至形社便空决治展科司五基书非则听白却界达光放强即像难且权"
        "思完设式色路记南品住告类求据程北边该交规万取望觉术领共确传师观清今切院让识带导争运答案选择列哪错误填请项首都"
    ),
    "big5": frozenset(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種"
        "事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力它與長把機十民第公此"
        "已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內"
        "信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四總何電數安少報"
        "結反受目太量再感建務做接必場件計管期市直資命山金指許統區保至形社便空決治展科司五基書非則聽白卻界達光放強即像難且權"
        "思完設式色路記南品住告類求據程北邊該交規萬取望覺術領共確傳師觀清今切院讓識帶導爭運答案選擇列哪錯誤填請項首都"
    ),
    "cp932": frozenset(
        "日一国会人年大十二本中長出三時行見月分後前生五間上東四今金入学高子外八六下来気小七山話女北書先名水半男西電校語土木"
        "聞食車何南万毎白天母火右読友左休父正答問題次選択解説明用的合同実場方法動作事物使設定数値変更確認必要表示力有無可能"
        "新規追加削除検索結果内容自社会地体性最手文部所属対全関係通常当理由形式以都首"
    ),
    "cp949": frozenset(
        "이다는을의에가은고하로를한지기도사서자어리시인나대해아것들그수정보과일만있으면부여러니라습까장전제주상구성국스관공요"
        "비유원된할적게동연방경문무생실소신안오우조중학화위치내모바선세디입했며때같없되및또민답질음옳맞틀린올른설명택엇느통등간"
        "력물미반발법별본분불산색석속술식심약양업열영예외용운월임작재저점종직진차참창처천체초추출타태터특파판포표품프피필합항행"
        "향현호확환활회후"
    ),
}


def look(text: str, encoding: str) -> float:
    """How much a text looks like a language of this encoding: about 1 if it's ordinary, below 0 if nobody writes so."""
    if encoding in COMMON or encoding == "euc_jp":
        return _average(text, _east_asian(encoding))
    sets = {"cp1250": CENTRAL, "cp1251": CYRILLIC, "koi8_r": CYRILLIC}.get(encoding, WESTERN)
    return max(_average(text, _spelt(letters)) for letters in sets.values())


def _average(text: str, weight: Weight) -> float:
    around = zip(f" {text}", text, f"{text[1:]} ", strict=False)
    weights = [weight(*each) for each in around if each[1] > "\x7f"]
    return sum(weights) / max(1, len(weights))


def _spelt(letters: tuple[str, str, str]) -> Weight:
    """Weights for a language with these letters: a capital starts a word or all of it is capitals, and a word is in one
    script."""
    usual, seldom, final = map(frozenset, letters)

    def weight(before: str, char: str, after: str) -> float:
        if char in SIGNS:
            return _sign(before, char, after)
        small = char.lower()
        if small not in usual | seldom | final:
            return -1
        if small >= CYRILLIC_FROM and (_is_latin(before) or _is_latin(after)):
            return -1
        if char.isupper():
            return -1 if before.islower() or (before.isalpha() and after.islower()) else 0.8
        return 1 if small in usual or (small in final and not after.isalpha()) else 0.7

    return weight


def _sign(before: str, char: str, after: str) -> float:
    if char in "¿¡":
        return 0.5 if after.isalpha() and not before.isalpha() else -1
    return -1 if before.isalpha() and after.isalpha() and char not in INSIDE else 0.5


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _east_asian(encoding: str) -> Weight:
    common = COMMON["cp932" if encoding == "euc_jp" else encoding]
    if encoding == "gb18030":  # also in traditional texts, which are usually in Big5
        common |= COMMON["big5"]

    def weight(before: str, char: str, after: str) -> float:
        if _is_latin(before) and _is_latin(after):
            return -1
        return 1.5 if char in common else 0.8 if char in FULL_WIDTH else _script(char, encoding)

    return weight


def _script(char: str, encoding: str) -> float:
    if "\u3041" <= char <= "\u30fa":
        return 1.2 if encoding in ("cp932", "euc_jp") else -1
    if "\uac00" <= char <= "\ud7a3":
        return 0.4 if _is_usual(char, "euc_kr", 0xB0, 0xC8) else -1
    if "\u4e00" <= char <= "\u9fff" and encoding != "cp949":
        return 0.3 if _is_usual(char, *USUAL[encoding]) else -0.7
    return -1


# The first bytes of the characters that each standard lists first because they are common.
USUAL = {
    "gb18030": ("gb2312", 0xB0, 0xD7),
    "big5": ("big5", 0xA4, 0xC6),
    "cp932": ("euc_jp", 0xB0, 0xCF),
    "euc_jp": ("euc_jp", 0xB0, 0xCF),
}


def _is_usual(char: str, standard: str, first: int, last: int) -> bool:
    try:
        return first <= char.encode(standard)[0] <= last
    except UnicodeEncodeError:
        return False
