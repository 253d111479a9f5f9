"""Files as other systems export them, with content of our own, one or more for each format."""

# ruff: noqa: E501  # files as other systems write them, in long lines

from __future__ import annotations

import functools
import io
import tarfile
import zipfile

import openpyxl

GIFT = r"""// question: 17  name: Lamps
$CATEGORY: $course$/top/Lamps/Amber

// [id:lamp-1] [tag:amber] [tag:night]
::Lamp at night::[html]<p>Which lamp keeps <b>insects</b> away\: &quot;amber&quot; \= warm?</p>{
	~%-50%The blue one#Blue draws them.
	=The amber one#Its light is long\-waved.
	~%25%The green one
	####Insects see short waves best.
}

::Two of them:: Which are tools \{hand\} ? { ~%50%hammer ~%50%saw ~%-100%moss }

Light travels {=faster ~slower} than sound.

The lamp is on. {TRUE#It was off.#It was on.}

Match. {=one -> 1 =two -> 2 =three -> 3}

How many? {#4:1}

Write about it. {}

Name it. {=lamp =lantern}

Only a text.

Broken {=a ~b

Good again? {=yes ~no}
"""

AIKEN = """Which lamp keeps insects away?
A. The blue one
B. The amber one
ANSWER: B

Which tool
drives nails?
A) saw
B) hammer
C) file
answer: b

No answer here
A. one
B. two

ANSWER: A
"""

MOODLE = """<?xml version="1.0" encoding="UTF-8"?>
<quiz>
<!-- question: 0 -->
  <question type="category">
    <category><text>$course$/top/Lamps/Amber</text></category>
  </question>
<!-- question: 12 -->
  <question type="multichoice">
    <name><text>Lamp at night</text></name>
    <questiontext format="html"><text><![CDATA[<p>Which lamp keeps <em>insects</em>&nbsp;away?<br></p>]]></text></questiontext>
    <generalfeedback format="html"><text><![CDATA[<p>Short waves draw them.</p>]]></text></generalfeedback>
    <defaultgrade>1.0000000</defaultgrade><penalty>0.3333333</penalty><hidden>0</hidden>
    <idnumber>lamp-1</idnumber>
    <single>true</single><shuffleanswers>true</shuffleanswers><answernumbering>abc</answernumbering>
    <correctfeedback format="html"><text>Right.</text></correctfeedback>
    <answer fraction="0" format="html"><text><![CDATA[<p>The blue one</p>]]></text>
      <feedback format="html"><text><![CDATA[<p>Blue draws them.</p>]]></text></feedback></answer>
    <answer fraction="100" format="html"><text>The amber one</text><feedback format="html"><text></text></feedback></answer>
    <answer fraction="50" format="plain_text"><text>a &lt;b&gt; c</text></answer>
    <tags><tag><text>amber</text></tag><tag><text>night</text></tag></tags>
  </question>
  <question type="multichoice">
    <name><text>Tools</text></name>
    <questiontext format="markdown"><text>Which are **tools**?</text></questiontext>
    <single>false</single>
    <answer fraction="50"><text>hammer</text></answer>
    <answer fraction="50"><text>saw</text></answer>
    <answer fraction="-100"><text>moss</text></answer>
  </question>
  <question type="multichoice">
    <name><text>Picture</text></name>
    <questiontext format="html"><text><![CDATA[<p>What is it? <img src="@@PLUGINFILE@@/a.png" alt="a lamp"></p>]]></text>
      <file name="a.png" path="/" encoding="base64">iVBORw0KGgo=</file></questiontext>
    <single>true</single>
    <answer fraction="100"><text>lamp</text></answer><answer fraction="0"><text>saw</text></answer>
  </question>
  <question type="truefalse">
    <name><text>On</text></name>
    <questiontext format="html"><text>The lamp is on.</text></questiontext>
    <answer fraction="100"><text>true</text><feedback><text>It was.</text></feedback></answer>
    <answer fraction="0"><text>false</text></answer>
  </question>
  <question type="essay"><name><text>Write</text></name><questiontext format="html"><text>Write.</text></questiontext></question>
</quiz>
"""

QTI_12 = """<?xml version="1.0" encoding="ISO-8859-1"?>
<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
 <assessment ident="A1" title="Lamps"><section ident="root_section">
  <item ident="lamp-1" title="Lamp at night">
   <itemmetadata><qtimetadata>
    <qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>multiple_choice_question</fieldentry></qtimetadatafield>
    <qtimetadatafield><fieldlabel>keywords</fieldlabel><fieldentry>amber, night</fieldentry></qtimetadatafield>
   </qtimetadata></itemmetadata>
   <presentation>
    <material><mattext texttype="text/html">&lt;p&gt;Which lamp?&lt;/p&gt;</mattext></material>
    <response_lid ident="response1" rcardinality="Single"><render_choice shuffle="Yes">
     <response_label ident="11"><material><mattext texttype="text/plain">blue</mattext></material></response_label>
     <response_label ident="12"><material><mattext texttype="text/plain">amber</mattext></material></response_label>
    </render_choice></response_lid>
   </presentation>
   <resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
    <respcondition continue="Yes"><conditionvar><varequal respident="response1">11</varequal></conditionvar>
     <displayfeedback feedbacktype="Response" linkrefid="11_fb"/></respcondition>
    <respcondition continue="No"><conditionvar><varequal respident="response1">12</varequal></conditionvar>
     <setvar action="Set" varname="SCORE">100</setvar></respcondition>
   </resprocessing>
   <itemfeedback ident="11_fb"><flow_mat><material><mattext texttype="text/html">Blue draws them.</mattext></material></flow_mat></itemfeedback>
   <itemfeedback ident="general_fb"><flow_mat><material><mattext>Short waves draw them.</mattext></material></flow_mat></itemfeedback>
  </item>
  <item ident="tools" title="Tools"><presentation>
    <material><mattext>Which are tools?</mattext></material>
    <response_lid ident="r" rcardinality="Multiple"><render_choice>
     <response_label ident="a"><material><mattext>hammer</mattext></material></response_label>
     <response_label ident="b"><material><mattext>saw</mattext></material></response_label>
     <response_label ident="c"><material><mattext>moss</mattext></material></response_label>
    </render_choice></response_lid></presentation>
   <resprocessing><respcondition><conditionvar><and>
     <varequal respident="r">a</varequal><varequal respident="r">b</varequal>
     <not><varequal respident="r">c</varequal></not></and></conditionvar>
     <setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing>
  </item>
  <item ident="essay"><presentation><material><mattext>Write.</mattext></material>
   <response_str ident="r"><render_fib/></response_str></presentation></item>
 </section></assessment>
</questestinterop>
"""

QTI_21 = """<?xml version="1.0" encoding="UTF-8"?>
<ns:assessmentItem xmlns:ns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="lamp-1" title="Lamp at night"
  adaptive="false" timeDependent="false">
 <ns:responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
  <ns:correctResponse><ns:value>C2</ns:value></ns:correctResponse>
 </ns:responseDeclaration>
 <ns:outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
 <ns:itemBody><ns:p>It is night.</ns:p>
  <ns:choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1">
   <ns:prompt>Which lamp?</ns:prompt>
   <ns:simpleChoice identifier="C1" fixed="true">blue
     <ns:feedbackInline outcomeIdentifier="FEEDBACK" identifier="C1" showHide="show">Blue draws them.</ns:feedbackInline>
   </ns:simpleChoice>
   <ns:simpleChoice identifier="C2">amber</ns:simpleChoice>
  </ns:choiceInteraction></ns:itemBody>
 <ns:responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/>
 <ns:modalFeedback outcomeIdentifier="SOLUTION" identifier="general" showHide="show">Short waves draw them.</ns:modalFeedback>
</ns:assessmentItem>
"""

QTI_22 = """<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="tools" title="Tools">
 <responseDeclaration identifier="R" cardinality="multiple" baseType="identifier">
  <mapping defaultValue="-1"><mapEntry mapKey="a" mappedValue="1"/><mapEntry mapKey="b" mappedValue="0.5"/>
   <mapEntry mapKey="c" mappedValue="-1"/></mapping></responseDeclaration>
 <itemBody><p>Which are <strong>tools</strong>?</p><choiceInteraction responseIdentifier="R" maxChoices="0">
  <simpleChoice identifier="a">hammer</simpleChoice><simpleChoice identifier="b">saw</simpleChoice>
  <simpleChoice identifier="c">moss</simpleChoice></choiceInteraction></itemBody>
 <responseProcessing template="http://www.imsglobal.org/question/qti_v2p2/rptemplates/map_response"/>
</assessmentItem>
"""

QTI_30 = """<?xml version="1.0" encoding="UTF-8"?>
<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="lamp-1" title="Lamp at night"
  adaptive="false" time-dependent="false" xml:lang="en">
 <qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="identifier">
  <qti-correct-response><qti-value>C2</qti-value></qti-correct-response></qti-response-declaration>
 <qti-item-body><p>Which lamp?</p>
  <qti-choice-interaction response-identifier="RESPONSE" shuffle="true" max-choices="1">
   <qti-simple-choice identifier="C1">blue</qti-simple-choice><qti-simple-choice identifier="C2">amber</qti-simple-choice>
  </qti-choice-interaction></qti-item-body>
 <qti-modal-feedback outcome-identifier="FEEDBACK" identifier="C1" show-hide="show">
  <qti-content-body><p>Blue draws them.</p></qti-content-body></qti-modal-feedback>
</qti-assessment-item>
"""

OLX = """<problem display_name="Lamp at night" url_name="lamp1" markdown="null">
  <multiplechoiceresponse>
    <p>It is night.</p>
    <label>Which lamp?</label>
    <description>Think of insects.</description>
    <choicegroup type="MultipleChoice">
      <choice correct="false">blue <choicehint>Blue draws them.</choicehint></choice>
      <choice correct="true">amber</choice>
    </choicegroup>
    <solution><div class="detailed-solution"><p>Explanation</p><p>Short waves draw them.</p></div></solution>
  </multiplechoiceresponse>
</problem>
"""
OLX_TWO = """<problem><choiceresponse><label>Which are tools?</label><checkboxgroup>
<choice correct="true">hammer</choice><choice correct="true">saw</choice><choice correct="false">moss</choice>
</checkboxgroup></choiceresponse></problem>
"""

CSV = """id;Question;Option A;Option B;Option C;Correct;Explanation;Tags;Topic
lamp-1;Which lamp?;blue;amber;;B;"Short waves; they
draw insects";amber,night;Lamps
tools;Which are tools?;hammer;saw;moss;A, B;;;
none;What now?;one;two;;;;;
late;Where?;here;there;;there;;;
"""

MARKDOWN = """# Lamps

## Amber

### 1. Which lamp keeps insects away?

- [ ] The blue one
  > Blue draws them.
- [x] The amber one

> Short waves draw them.

### Tools
A box is on the table.

```sh
- [x] not an option
```

Which are tools?

* [x] hammer
* [X] saw
* [ ] moss

**Explanation:** They are used by hand.

---
1. What is up?
   - [x] sky
   - [ ] floor
2. What is down?
   - [ ] sky
   - [x] floor

### No key
- [ ] a
- [ ] b
"""

YAML = """domain: lamps
questions:
  - id: lamp-1
    pool: open
    kind: single
    difficulty: easy
    concepts: [amber]
    title: Lamp at night
    stem: |
      It is night.

      Which lamp?
    options:
      - {slot: 1, text: blue, right: false, tempts: It is bright., why: Blue draws them.}
      - {slot: 2, text: amber, right: true, tempts: It is warm., why: Long waves.}
    clues: [{phrase: It is night, why: Insects fly., confirms: [2]}]
    sources: [{title: Page, url: "https://e.example/p", as_of: 2026-11-21}]
  - id: broken
    stem: "never closed
  - stem: Which are tools?
    options:
      - {text: hammer, right: true, feedback: By hand.}
      - {text: saw, right: true}
      - {text: moss}
    tags: [tool]
  - {id: wrong, stem: 5, options: []}
"""

JSON = """{"domain": "lamps", "questions": [
  {"id": "lamp-1", "stem": "Which lamp?", "options": [{"text": "blue"}, {"text": "amber", "right": true}]},
  {"id": "broken", "stem": },
  {"stem": "Which are tools?", "tags": ["tool"], "category": "box",
   "options": [{"text": "hammer", "right": true}, {"text": "saw", "right": true}, {"text": "moss"}]}
]}
"""

MANIFEST = """<?xml version="1.0"?><manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="M"><resources>
<resource identifier="R2" type="imsqti_item_xmlv2p2" href="items/tools.xml"><metadata><lom><general>
<keyword><string>tool</string></keyword></general></lom></metadata><file href="items/tools.xml"/></resource>
<resource identifier="R1" type="imsqti_item_xmlv2p1" href="items/lamp%201.xml"><file href="items/lamp 1.xml"/></resource>
<resource identifier="R3" href="../../outside.xml"/></resources></manifest>
"""


def zipped(files: dict[str, str | bytes]) -> bytes:
    """Return a zip archive of some files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def tarred(files: dict[str, str]) -> bytes:
    """Return a tar.gz of some files."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return content.getvalue()


def sheet(rows: list[list[object]]) -> bytes:
    """Return an XLSX file with these rows on its second sheet; the first holds notes."""
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["Notes"])
    page = book.create_sheet("Questions")
    for row in rows:
        page.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


@functools.cache
def samples() -> dict[str, tuple[str, bytes]]:
    """Return for the name of each sample its format and bytes."""
    rows: list[list[object]] = [
        ["Question", "Option 1", "Option 2", "Correct answer", "Explanation"],
        ["Which lamp?", "blue", "amber", 2, "Short waves draw them."],
        [None, None, None, None, None],
        ["How many?", 3, 4.0, 1, None],
    ]
    package = {"pack/imsmanifest.xml": MANIFEST, "pack/items/lamp 1.xml": QTI_21, "pack/items/tools.xml": QTI_22}
    course = {"course/course.xml": "<course/>", "course/problem/a.xml": OLX, "course/problem/b.xml": OLX_TWO}
    return {
        "gift": ("gift", GIFT.encode()),
        "aiken": ("aiken", AIKEN.encode()),
        "moodle": ("moodle-xml", MOODLE.encode()),
        "qti-1.2": ("qti-1.2", QTI_12.encode()),
        "qti-1.2-package": ("qti-1.2", zipped({"imsmanifest.xml": MANIFEST, "g1/a.xml.qti": QTI_12})),
        "qti-2.1": ("qti-2.1", QTI_21.encode()),
        "qti-2.2": ("qti-2.2", QTI_22.encode()),
        "qti-2.1-package": ("qti-2.1", zipped(package)),
        "qti-3.0": ("qti-3.0", QTI_30.encode()),
        "olx": ("olx", OLX.encode()),
        "olx-tar": ("olx", tarred(course)),
        "olx-zip": ("olx", zipped({**course})),
        "csv": ("csv", CSV.encode()),
        "xlsx": ("xlsx", sheet(rows)),
        "markdown": ("markdown", MARKDOWN.encode()),
        "yaml": ("yaml", YAML.encode()),
        "json": ("json", JSON.encode()),
    }
