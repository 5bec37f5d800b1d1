#!/usr/bin/env python3
"""Checks pages of the HTML report: check_pages.py PAGE...

Every element is closed in its order, only known elements and attributes are
used, ids are there once and links lead to one, nothing is asked from anywhere,
and the policy names just the style sheet and the script that the page has.
"""
import base64
import hashlib
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "input"}
ELEMENTS = VOID | set(
    "html head title style script body header main footer section h1 h2 h3 h4 p a b code pre mark span div "
    "ul ol li dl dt dd table tr th td details summary figure figcaption form label select option output "
    "svg rect line path text".split())
ATTRIBUTES = set(
    "charset http-equiv content name lang class id href hidden role type autocomplete value open tabindex scope "
    "aria-label aria-live data-kind data-kernel x y x1 x2 y1 y2 d width height viewbox preserveaspectratio overflow "
    "text-anchor".split())
# What is implied where it is left out is not left out here.
INSIDE = {"li": {"ul", "ol"}, "dt": {"div"}, "dd": {"div"}, "tr": {"table"}, "td": {"tr"}, "th": {"tr"},
          "option": {"select"}, "summary": {"details"}, "figcaption": {"figure"}, "rect": {"svg"}, "text": {"svg"}}


class Page(HTMLParser):
    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.wrong, self.stack, self.ids, self.links, self.raw = [], [], [], [], {"style": "", "script": ""}
        self.policy, self.headings, self.images = "", [], 0
        self.feed(source)
        self.close()
        if self.stack:
            self.wrong.append(f"not closed: {self.stack}")

    def complain(self, text):
        self.wrong.append(f"line {self.getpos()[0]}: {text}")

    def handle_starttag(self, tag, attrs):
        if tag not in ELEMENTS:
            self.complain(f"element {tag}")
        if tag in INSIDE and (not self.stack or self.stack[-1] not in INSIDE[tag]):
            self.complain(f"{tag} in {self.stack[-1:]}")
        if tag in {"p", "div", "section", "ul", "ol", "details", "figure", "pre"} and "p" in self.stack:
            self.complain(f"{tag} in a paragraph")
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.complain(f"an attribute twice in {tag}")
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.complain(f"attribute {name} of {tag}")
            if name == "id":
                self.ids.append(value)
            if name == "href":
                self.links.append(value)
        attrs = dict(attrs)
        if attrs.get("http-equiv") == "Content-Security-Policy":
            self.policy = attrs["content"]
        if tag == "svg" and attrs.get("role") == "img":
            self.images += 1
            if not attrs.get("aria-label"):
                self.complain("a picture that says nothing")
        if tag == "svg" and "svg" not in self.stack and attrs.get("role") != "img":
            self.complain("a picture without a role")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1] != tag:
            self.complain(f"</{tag}> closes {self.stack[-1:]}")
        if tag in self.stack:
            while self.stack.pop() != tag:
                pass

    def handle_data(self, data):
        if self.stack and self.stack[-1] in self.raw:
            self.raw[self.stack[-1]] += data
        elif re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", data):
            self.complain(f"control character in {data!r}")

    def handle_comment(self, data):
        self.complain("a comment")


def hashed(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def check(path):
    with open(path, encoding="utf-8", newline="") as file:  # fails if it is not UTF-8
        source = file.read()
    page = Page(source)
    wrong = page.wrong
    if not source.startswith("<!DOCTYPE html>\n<html lang=\"en\">"):
        wrong.append("no document type or language")
    wanted = (f"default-src 'none'; style-src {hashed(page.raw['style'])}; "
              f"script-src {hashed(page.raw['script'])}; base-uri 'none'; form-action 'none'")
    if page.policy != wanted:
        wrong.append(f"the policy is {page.policy}\n  and not {wanted}")
    if len(page.ids) != len(set(page.ids)):
        wrong.append("an id is there twice")
    for link in page.links:
        if not link.startswith("#") or link[1:] not in page.ids:
            wrong.append(f"link {link} leads nowhere")
    if "url(" in page.raw["style"] or "@import" in page.raw["style"]:
        wrong.append("the style sheet asks for something")
    if page.headings[:1] != [1] or page.headings.count(1) != 1:
        wrong.append("not one h1, first")
    for before, after in zip(page.headings, page.headings[1:]):
        if after > before + 1:
            wrong.append(f"h{after} after h{before}")
    for text in wrong[:10]:
        print(f"{path}: {text}")
    return not wrong


if __name__ == "__main__":
    sys.exit(0 if all([check(path) for path in sys.argv[1:]]) and sys.argv[1:] else 1)
