// What the site's pages do beyond being read: search, copy buttons, light and dark, colors in code, the filter of
// the report, keys, and everything unfolded on paper. Without it all pages are complete.
"use strict";

const TOP = document.currentScript.dataset.top;  // leads to the site's folder

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

const sections = [...document.querySelectorAll(".tour > section")];

function filter(chapter) {
  for (const section of sections) section.hidden = chapter !== "all" && chapter !== section.id;
  for (const link of document.querySelectorAll(".filter a"))
    if (link.hash === `#${chapter}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
}

function named() { return document.getElementById(decodeURIComponent(location.hash.slice(1))); }

function follow() {
  const there = named(), section = there?.closest(".tour > section");
  if (!section) filter("all");
  else if (section === there || section.hidden) filter(section.id);
  if (section) (section === there ? document.querySelector(".filter") : there).scrollIntoView();
}
if (sections.length) {
  addEventListener("hashchange", follow);
  follow();
}

// ---- light, dark, or as the system ----

const THEMES = ["", "light", "dark"], THEME_NAMES = { "": "System", light: "Light", dark: "Dark" };
const theme_button = document.getElementById("theme");

function show_theme() {
  theme_button.textContent = THEME_NAMES[document.documentElement.dataset.theme || ""];
}

function next_theme() {
  const root = document.documentElement.dataset;
  const theme = THEMES[(THEMES.indexOf(root.theme || "") + 1) % THEMES.length];
  if (theme) root.theme = theme; else delete root.theme;
  try {
    if (theme) localStorage.setItem("course-theme", theme); else localStorage.removeItem("course-theme");
  } catch { /* no storage here: the choice ends with the page */ }
  show_theme();
  for (const frame of document.querySelectorAll("iframe")) frame.contentWindow?.postMessage({ theme }, "*");
}
theme_button.addEventListener("click", next_theme);
show_theme();

// ---- copy buttons ----

// What a reader wants of a block: of a session the commands, else all of it.
function to_copy(pre) {
  const lines = pre.textContent.replace(/\n$/, "").split("\n");
  const commands = lines.filter(line => line.startsWith("$ "));
  return commands.length ? commands.map(line => line.slice(2)).join("\n") : lines.join("\n");
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {  // a server without https, or a browser that asks
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

for (const pre of document.querySelectorAll("main pre")) {
  const block = document.createElement("div"), button = document.createElement("button");
  block.className = "block";
  button.className = "copy";
  button.type = "button";
  button.textContent = "Copy";
  pre.replaceWith(block);
  block.append(pre, button);
  button.addEventListener("click", async () => {
    await copy(to_copy(pre));
    button.textContent = "Copied";
    button.classList.add("done");
    setTimeout(() => { button.textContent = "Copy"; button.classList.remove("done"); }, 1500);
  });
}

// ---- large animations: a still until somebody clicks it ----

for (const image of document.querySelectorAll("img[data-moving]")) {
  const frame = image.parentElement;
  if (frame.pathname?.endsWith(".html")) continue; // a link to a page: a click follows it
  frame.classList.add("moves");
  frame.addEventListener("click", event => {
    if (!image.dataset.moving) return;
    event.preventDefault();
    image.src = image.dataset.moving;
    delete image.dataset.moving;
    frame.classList.remove("moves");
  });
}

// ---- the section that one reads, in the sidebar ----

const marks = [...document.querySelectorAll(".sidebar .section a")];

function mark_section() {
  const above = marks.filter(a => document.getElementById(decodeURIComponent(a.hash.slice(1)))?.getBoundingClientRect().top < 130);
  const at_end = innerHeight + scrollY >= document.scrollingElement.scrollHeight - 4;
  const here = at_end ? marks[marks.length - 1] : above[above.length - 1];
  for (const mark of marks) mark.classList.toggle("here", mark === here);
}
if (marks.length) {
  addEventListener("scroll", mark_section, { passive: true });
  mark_section();
}
// In the sidebar's own scrolled box, not with the page.
const current = document.querySelector(".sidebar [aria-current=page]");
if (current) {
  const bar = document.querySelector(".sidebar");
  bar.scrollTop = current.offsetTop - bar.clientHeight / 3;
}
for (const link of document.querySelectorAll(".sidebar a"))  // a phone's menu closes
  link.addEventListener("click", () => { document.getElementById("menu-open").checked = false; });

// ---- search: the index is a script, since pages that are opened as files may load nothing else ----

const field = document.getElementById("search"), found = document.getElementById("found");
let entries = null, chosen = -1;

window.course_index = rows => {
  entries = rows.map(([page, title, heading, id, text]) => ({ page, title, heading, id, text, low: text.toLowerCase() }));
  show_found();
};

function load_index() {
  if (document.getElementById("search-index")) return;
  const script = document.createElement("script");
  script.id = "search-index";
  script.src = `${TOP}search_index.js`;
  script.onerror = () => { entries = []; show_found(); };
  document.head.append(script);
}

const begins_word = (text, term) => {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (at === 0 || !/\w/.test(text[at - 1])) return true;
  return false;
};

// How well an entry fits, 0 if one of the words is nowhere in it.
function score(entry, terms) {
  const title = entry.title.toLowerCase(), heading = entry.heading.toLowerCase();
  let sum = 0;
  for (const term of terms) {
    const here = (begins_word(heading, term) ? 12 : 0) + (begins_word(title, term) ? 5 : 0) +
      (begins_word(entry.low, term) ? 3 : entry.low.includes(term) ? 1 : 0);
    if (!here && !heading.includes(term) && !title.includes(term)) return 0;
    sum += here || 1;
  }
  if (terms.length > 1 && entry.low.includes(terms.join(" "))) sum += 8;
  if (heading === terms.join(" ")) sum += 20;
  return entry.page.endsWith(".cu.html") || entry.page.endsWith(".h.html") ? sum * .5 : sum;
}

// A few words around the first match, with all matches marked.
function excerpt(entry, terms) {
  const first = Math.max(0, ...terms.map(term => entry.low.indexOf(term)).filter(at => at >= 0).slice(0, 1));
  const begin = first > 60 ? entry.text.indexOf(" ", first - 60) + 1 : 0;
  const text = (begin ? "… " : "") + entry.text.slice(begin, begin + 170), parts = [];
  const pattern = new RegExp(terms.map(term => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const mark = document.createElement("mark");
    mark.textContent = match[0];
    parts.push(text.slice(end, match.index), mark);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

function result(entry, terms) {
  const link = document.createElement("a"), name = document.createElement("b"), words = document.createElement("span");
  link.href = TOP + entry.page + (entry.id ? `#${encodeURIComponent(entry.id)}` : "");
  name.textContent = entry.heading && entry.heading !== entry.title ? `${entry.title} › ${entry.heading}` : entry.title;
  words.append(...excerpt(entry, terms));
  link.append(name, words);
  return link;
}

function show_found() {
  const terms = field.value.toLowerCase().split(/\s+/).filter(term => term);
  chosen = -1;
  found.hidden = !terms.length;
  if (!terms.length) return;
  const note = document.createElement("p");
  if (!entries) {
    note.textContent = "Loading the index …";
    found.replaceChildren(note);
    return;
  }
  const fits = entries.map(entry => [score(entry, terms), entry]).filter(([points]) => points > 0);
  fits.sort((a, b) => b[0] - a[0]);
  note.textContent = fits.length ? `${fits.length} result${fits.length === 1 ? "" : "s"}` : "No results";
  found.replaceChildren(note, ...fits.slice(0, 20).map(([, entry]) => result(entry, terms)));
}

function choose(step) {
  const links = [...found.querySelectorAll("a")];
  if (!links.length) return;
  chosen = (chosen + step + links.length) % links.length;
  links.forEach((link, i) => link.classList.toggle("chosen", i === chosen));
  links[chosen].scrollIntoView({ block: "nearest" });
}

function close_search() {
  found.hidden = true;
  field.blur();
}

if (field) {
  if (matchMedia("(hover: none)").matches) field.placeholder = "Search";  // no keys to press
  field.addEventListener("focus", () => { load_index(); show_found(); });
  field.addEventListener("input", () => { load_index(); show_found(); });
  field.addEventListener("keydown", event => {
    const keys = { ArrowDown: () => choose(1), ArrowUp: () => choose(-1), Escape: close_search,
      Enter: () => (found.querySelector("a.chosen") || found.querySelector("a"))?.click() };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  addEventListener("pointerdown", event => { if (!event.target.closest(".search")) found.hidden = true; });
}

// ---- while the tour runs: progress.js says how far it is, and the page loads again when it has grown ----

const running = document.getElementById("running");

window.course_progress = done => {
  const reads = document.querySelector("details[open]") || document.activeElement === field;  // do not disturb
  if (String(done) !== running?.dataset.done && !reads) location.reload();
};
if (running) setInterval(() => {
  document.getElementById("progress")?.remove();
  const script = document.createElement("script");
  script.id = "progress";
  script.src = `${TOP}progress.js?${Date.now()}`;
  script.onerror = () => window.course_progress("all");  // it is gone: the tour has ended
  document.head.append(script);
}, 2000);

// ---- keys: /, s and Ctrl+K search, n, p and the arrows go on and back, t changes the colors, ? lists the keys ----

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

function to_neighbor(wanted) {
  if (!sections.length) {
    document.querySelector(`a[rel=${wanted}]`)?.click();
    return;
  }
  const {card, chosen} = card_in_view();
  if (card && !chosen && wanted === "next") location.hash = card.id;
  else card?.querySelector(`a[rel=${wanted}]`)?.click();
}

// Something that scrolls sideways needs the arrows itself.
const scrolls = element => element.closest?.("[tabindex]")?.scrollWidth > element.closest?.("[tabindex]")?.clientWidth;

function start_search(event) {
  event.preventDefault();
  field?.focus();
  field?.select();
}

function list_keys() {
  const list = document.getElementById("keys");
  if (!list.open) list.showModal();
}

addEventListener("keydown", event => {
  if ((event.ctrlKey || event.metaKey) && event.key === "k") start_search(event);
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.("input, select, textarea")) return;
  const arrows = !scrolls(event.target);
  const keys = { n: () => to_neighbor("next"), p: () => to_neighbor("prev"), t: next_theme,
    "/": () => start_search(event), s: () => start_search(event),
    "?": () => list_keys(),
    ArrowRight: () => arrows && to_neighbor("next"), ArrowLeft: () => arrows && to_neighbor("prev") };
  keys[event.key]?.();
});
