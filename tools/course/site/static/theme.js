// The colors that the reader chose, before anything is drawn. Without a choice they follow the system.
"use strict";
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem("course-theme"); } catch { /* no storage here */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
