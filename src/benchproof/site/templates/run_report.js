"use strict";
for (const axis of document.querySelectorAll(".axis")) {
  const items = [...axis.querySelectorAll(".item")];
  const tools = axis.querySelector(".tools"), find = axis.querySelector(".find");
  const button = axis.querySelector(".open-all"), none = axis.querySelector(".none-left");
  if (!items.length) continue;
  tools.hidden = false;
  const apply = () => {
    const group = axis.querySelector(".filters input:checked").value, wanted = find.value.trim().toLowerCase();
    let left = 0;
    for (const item of items) {
      item.hidden = !(group === "all" || item.classList.contains("is-" + group)) ||
        (wanted !== "" && !item.textContent.toLowerCase().includes(wanted));
      if (!item.hidden) left += 1;
    }
    none.hidden = left > 0;
  };
  axis.querySelector(".filters").addEventListener("input", apply);
  apply();
  button.addEventListener("click", () => {
    const open = items.some(item => !item.hidden && !item.open);
    for (const item of items) if (!item.hidden) item.open = open;
    button.textContent = open ? "close all" : "open all";
  });
}
const openTarget = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener("hashchange", openTarget);
openTarget();
