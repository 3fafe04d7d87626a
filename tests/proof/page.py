"""A page read back with the standard library's parser: elements, attributes and text, as a browser would see them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    ancestors: tuple[str, ...] = ()


@dataclass
class Page:
    elements: list[Element] = field(default_factory=list)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [
            element
            for element in self.elements
            if element.tag == tag and all(element.attributes.get(name) == value for name, value in wanted.items())
        ]

    def of_class(self, name: str) -> list[Element]:
        return [element for element in self.elements if name in (element.attributes.get("class") or "").split()]


_VOID = frozenset({"meta", "input", "br", "img", "link", "hr"})


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), ancestors=tuple(one.tag for one in self.open))
        self.page.elements.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.elements.append(Element(tag, dict(attrs), ancestors=tuple(one.tag for one in self.open)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data


def read_page(html: str) -> Page:
    """Parse a page; an end tag that does not fit, or an element left open, is an error."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open, [element.tag for element in reader.open]
    return reader.page
