"""Makes mails, many of them broken, and reads them by Python's own library: a line of JSON each."""

import base64
import email
import html.parser
import json
import quopri
import random
import re
import sys
import unicodedata
from email.header import decode_header

WORDS = """invoice receipt order meeting newsletter password überweisung rechnung málaga crème façade
señor žluťoučký łódź счёт оплата письмо ελληνικά παραγγελία חשבונית 請求書 領収書 发票 订单 청구서 주문""".split()

CHARSETS = """utf-8 utf-8 utf-8 utf-8 UTF8 'utf-8' us-ascii iso-8859-1 latin-1 iso-8859-2 iso-8859-15 windows-1250
windows-1251 windows-1252 windows-1253 cp1252 koi8-r iso-2022-jp shift_jis cp932 euc-jp gb2312 gbk gb18030
euc-kr cp949 utf-7 klingon""".split()

FORMATS = ["b", "i", "em", "strong", "span", "a", "font color=red", "b style='display:block'"]
BLOCKS = ["p", "div", "td", "li", "h1"]


def encoded(text, charset):
    """The bytes of a text, most often in the encoding that it names."""
    used = charset.strip("'") if random.random() < 0.85 else random.choice(["utf-8", "latin-1", "gbk", "cp1251"])
    try:
        return text.encode(used, "replace")
    except LookupError:
        return text.encode("utf-8")


def transferred(body):
    """A transfer encoding and the body in it, now and then damaged."""
    kind = random.choice(["8bit", "quoted-printable", "base64"])
    if kind == "quoted-printable":
        body = quopri.encodestring(body)
        if random.random() < 0.2:
            body = body.replace(b"=\n", b"= \n")
    elif kind == "base64":
        body = base64.encodebytes(body)
    if random.random() < 0.1 and len(body) > 10:
        place = random.randrange(len(body) - 4)
        body = body[:place] + random.choice([b"", b"=", b"\xff", b"=C3", b"\r", b"\n\n"]) + body[place + random.randrange(3) :]
    return kind, body


def words(most):
    return [random.choice(WORDS) for _ in range(random.randint(1, most))]


def plain_text():
    lines = [" ".join(words(6)) for _ in range(random.randint(1, 6))]
    return "\n".join(lines) + "\n"


def flowed_text():
    return " \n".join(words(12)) + "\n"


def html_text(charset):
    parts = []
    for word in words(12):
        kind = random.random()
        if kind < 0.2:
            cut = random.randrange(len(word) + 1)
            tag = random.choice(FORMATS)
            parts.append(f"{word[:cut]}<{tag}>{word[cut:]}</{tag.split()[0]}>")
        elif kind < 0.5:
            tag = random.choice(BLOCKS)
            parts.append(f"<{tag}>{word}</{tag}>")
        elif kind < 0.6:
            parts.append("".join(f"&#{ord(letter)};" for letter in word))
        elif kind < 0.7:
            parts.append(f'<img alt="x"">{word}')
        else:
            parts.append(word)
    page = random.choice(["", " ", "\n"]).join(parts)
    if random.random() < 0.1:
        page += random.choice(["<!-- ", "<a href='", "<style>", "<p", "<"]) + random.choice(WORDS)
    if charset is not None and random.random() < 0.5:
        page = f"<meta charset={charset}><style>p {{ color: red }}</style>{page}"
    return page


def text_part():
    charset = random.choice(CHARSETS)
    is_html = random.random() < 0.5
    is_flowed = not is_html and random.random() < 0.3
    text = html_text(charset) if is_html else flowed_text() if is_flowed else plain_text()
    kind, body = transferred(encoded(text, charset))
    name = "" if random.random() < 0.2 else f"; charset={random.choice([charset, chr(34) + charset + chr(34)])}"
    flowed = "; format=flowed" + random.choice(["", "; delsp=yes"]) if is_flowed else ""
    head = random.choice(["", "", "X-Part: 1\n"]) + f"Content-Type: text/{'html' if is_html else 'plain'}{name}{flowed}\nContent-Transfer-Encoding: {kind}\n" + random.choice(["", "", "X-Part: order\n"])
    end = "" if random.random() < 0.03 else "\n"
    return head.encode() + end.encode() + body


def attachment():
    name = f"{random.choice(WORDS)}.png".encode(random.choice(["utf-8", "ascii"]), "replace")
    return b'Content-Type: image/png; name="' + name + b'"\nContent-Disposition: attachment\n\ninvoice\n'


def entity(depth=0):
    if depth > 2 or random.random() < 0.4:
        return attachment() if depth > 0 and random.random() < 0.2 else text_part()
    mark = f"b{random.randrange(5)}{depth}"
    given = random.choice([mark, f'"{mark}"'])
    head = f"Content-Type: multipart/{random.choice(['mixed', 'alternative', 'related'])};\n boundary={given}\n\n"
    body = b"".join(f"--{mark}\n".encode() + entity(depth + 1) + b"\n" for _ in range(random.randint(1, 3)))
    end = b"" if random.random() < 0.05 else f"--{mark}--\n".encode()
    return head.encode() + random.choice([b"", b"invoice\n"]) + body + end


def header_text():
    text = " ".join(words(4))
    kind = random.random()
    charset = random.choice(CHARSETS).strip("'")
    raw = encoded(text, charset)
    if kind < 0.3:
        return raw
    if kind < 0.65:
        return f"=?{charset}?B?{base64.b64encode(raw).decode()}?=".encode()
    quoted = "".join(f"={byte:02X}" for byte in raw)
    if kind < 0.9:
        return f"=?{charset}?Q?{quoted}?=".encode()
    cut = random.randrange(len(quoted))
    return f"=?{charset}?Q?{quoted[:cut]}?=\n =?{charset}?Q?{quoted[cut:]}?=".encode()


def mail():
    fields = [b"From: " + header_text() + b" <a@x.example>", b"To: b@y.example", b"Subject: " + header_text()]
    if random.random() < 0.03:
        fields.pop(0)
    if random.random() < 0.03:
        fields.append(random.choice([b"Dear Bob,", b"Dear Bob: " + header_text(), b""]))
    for field in [b"Received: by mx.example;\n invoice", b"X-Spam: no", b"DKIM-Signature: a=b"]:
        fields.insert(random.randrange(len(fields) + 1), field)
    return b"\n".join(fields) + b"\nMIME-Version: 1.0\n" + entity()


class Text(html.parser.HTMLParser):
    """The text of HTML, with a space for each tag but those of FORMATS."""

    def __init__(self):
        super().__init__()
        self.text = ""
        self.hidden = None

    def handle_starttag(self, tag, attrs):
        if tag in ("style", "script", "title"):
            self.hidden = tag
        if tag not in ("b", "i", "em", "strong") or attrs:
            self.text += " "

    def handle_endtag(self, tag):
        if tag == self.hidden:
            self.hidden = None
        if tag not in ("b", "i", "em", "strong"):
            self.text += " "

    def handle_data(self, data):
        if self.hidden is None:
            self.text += data


def flowed(text, is_joined):
    lines = [line[1:] if line.startswith(" ") else line for line in text.splitlines()]
    return "".join((line[:-1] if is_joined else line) if line.endswith(" ") else line + "\n" for line in lines)


def text_of(part):
    body = part.get_payload(decode=True) or b""
    if part.defects:
        raise ValueError("Python gives up a body")
    charset = part.get_content_charset()
    is_html = part.get_content_type() == "text/html"
    if charset is None and is_html:
        found = re.search(rb"<meta charset=([\w'-]+)", body)
        charset = found and found.group(1).decode()
    text = decoded(body, (charset or "utf-8").strip("'"))
    if is_html:
        reader = Text()
        reader.feed(text)
        reader.close()
        return reader.text
    if part.get_param("format") == "flowed":
        return flowed(text, part.get_param("delsp") == "yes")
    return text


def words_of(text):
    folded = unicodedata.normalize("NFKC", text).lower()
    return sorted({word for word in re.findall(r"[\w]+", folded)} & {unicodedata.normalize("NFKC", word) for word in WORDS})


def header_of(raw, name):
    """A field of the header, which may be UTF-8."""
    value = email.message_from_bytes(raw)[name] or ""
    if "=?" not in str(value):
        written = re.search(rb"^" + name.encode() + rb":.*", raw, re.MULTILINE | re.IGNORECASE)
        return written.group().decode("utf-8", "replace").partition(":")[2] if written else ""
    return "".join(decoded(part, charset) if isinstance(part, bytes) else part for part, charset in decode_header(value))


WIDER = {"gb2312": "gbk", "euc-kr": "cp949", "shift_jis": "cp932", "iso-8859-1": "cp1252", "latin-1": "cp1252"}


def decoded(body, charset):
    """By the encoding that browsers use for a name (https://encoding.spec.whatwg.org)."""
    try:
        return body.decode(WIDER.get(charset, charset) or "ascii", "replace")
    except LookupError:
        return body.decode("ascii", "replace")


def read(raw):
    # Python keeps the blanks at the end of a line, which RFC 2045 (6.7) has deleted.
    raw = re.sub(rb"= +(?=\r?\n)", b"=", raw)
    message = email.message_from_bytes(raw)
    texts = []
    is_read = True
    for part in message.walk():
        if part.get_content_type() in ("text/plain", "text/html") and part.get_content_disposition() != "attachment":
            try:
                texts.append(text_of(part))
            except ValueError:
                is_read = False
    header = {name: words_of(header_of(raw, name)) for name in ("subject", "from")}
    return {**header, "text": words_of(" ".join(texts)) if is_read else None}


random.seed(int(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    raw = mail()
    if random.random() < 0.3:
        raw = raw.replace(b"\n", b"\r\n")
    print(json.dumps({"mail": base64.b64encode(raw).decode(), "words": WORDS, **read(raw)}))
