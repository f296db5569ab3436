// What the tour's pages do beyond being read: colors in code, the filter by chapter, keys, and
// everything unfolded on paper. Without it all of them are complete.
"use strict";

// ---- colors ----

const KINDS = ["comment", "string", "cuda", "keyword"];
const TOKENS = {
  cpp: new RegExp([
    String.raw`(\/\/[^\n]*|\/\*[\s\S]*?\*\/)`,
    String.raw`(R"\([\s\S]*?\)"|"(?:[^"\\\n]|\\.)*"|(?<!\w)'(?:[^'\\\n]|\\.)+')`,
    String.raw`(<<<|>>>|\b(?:__\w+__|__(?:syncthreads|syncwarp|threadfence)\w*|__shfl\w*|__(?:all|any|ballot)_sync` +
      String.raw`|threadIdx|blockIdx|blockDim|gridDim|warpSize|dim3|float[234]|uchar4|cuda\w*|atomic[A-Z]\w*)\b)`,
    String.raw`(^[ \t]*#[ \t]*\w+|\b(?:alignas|auto|bool|break|case|catch|char|class|const|const_cast|constexpr` +
      String.raw`|continue|default|delete|do|double|else|enum|explicit|extern|false|float|for|friend|if|inline|int` +
      String.raw`|long|namespace|new|nullptr|operator|private|public|reinterpret_cast|return|short|signed|sizeof` +
      String.raw`|static|static_assert|static_cast|struct|switch|template|this|throw|true|try|typename|unsigned` +
      String.raw`|using|virtual|void|volatile|while)\b)`,
  ].join("|"), "gm"),
  sh: /((?<=^|\s)#[^\n]*)|("(?:[^"\\]|\\.)*"|'[^']*')/gm,
};

function paint(code) {
  const tokens = TOKENS[code.className.replace("language-", "")];
  if (!tokens || code.dataset.painted) return;
  code.dataset.painted = "yes";
  const text = code.textContent, parts = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const span = document.createElement("span");
    span.className = KINDS[match.slice(1).findIndex(group => group !== undefined)];
    span.textContent = match[0];
    parts.push(text.slice(end, match.index), span);
    end = match.index + match[0].length;
  }
  code.replaceChildren(...parts, text.slice(end));
}

// Code that is folded is painted when it is unfolded: a tour has ten thousand lines of it.
function paint_visible() {
  for (const code of document.querySelectorAll("pre > code[class]"))
    if (!code.closest("details:not([open])")) paint(code);
}
paint_visible();
addEventListener("toggle", paint_visible, true);

// ---- paper ----

let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details:not([open])")];
  for (const details of unfolded) details.open = true;
  paint_visible();
});
addEventListener("afterprint", () => {
  for (const details of unfolded) details.open = false;
});

// ---- the filter: the address ends with #CHAPTER, #PROGRAM or #all ----

const sections = [...document.querySelectorAll("main.tour > section")];

function filter(chapter) {
  for (const section of sections) section.hidden = chapter !== "all" && chapter !== section.id;
  for (const link of document.querySelectorAll(".filter a"))
    if (link.hash === `#${chapter}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
}

function named() { return document.getElementById(decodeURIComponent(location.hash.slice(1))); }

function follow() {
  const there = named(), section = there?.closest("main.tour > section");
  if (!section) filter("all");
  else if (section === there || section.hidden) filter(section.id);
  if (section) (section === there ? document.querySelector(".filter") : there).scrollIntoView();
}
if (sections.length) {
  addEventListener("hashchange", follow);
  follow();
}

// ---- keys: n and p, next and previous ----

// The card that one reads: the one in the address while it is to be seen, else the first to be seen.
function card_in_view() {
  const seen = card => {
    const box = card.getBoundingClientRect();
    return box.height > 0 && box.bottom > 80 && box.top < innerHeight;
  };
  const here = named();
  if (here?.matches("article") && seen(here)) return {card: here, chosen: true};
  return {card: [...document.querySelectorAll("article")].find(seen), chosen: false};
}

addEventListener("keydown", event => {
  const wanted = {n: "next", p: "prev"}[event.key];
  if (!wanted || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!sections.length) {
    document.querySelector(`a[rel=${wanted}]`)?.click();
    return;
  }
  const {card, chosen} = card_in_view();
  if (card && !chosen && wanted === "next") location.hash = card.id;
  else card?.querySelector(`a[rel=${wanted}]`)?.click();
});
