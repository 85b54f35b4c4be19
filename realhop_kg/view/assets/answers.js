"use strict";
// After an audit: what a condition removed is struck through, over the marks and without moving
// them, on the source side without what was inserted; a wrong hit leads to the last fact of the path that produced it.
(() => {
  const all = (selector) => Array.from(document.querySelectorAll(selector));

  function rangesOf([passage, start, end]) {
    const found = [];
    let at = 0;
    for (const { firstChild: node } of all(`[data-passage="${passage}"] .t`)) {
      if (!node) continue;
      const units = [0];
      for (const char of node.data) units.push(units[units.length - 1] + char.length);
      const low = Math.max(start - at, 0);
      const high = Math.min(end - at, units.length - 1);
      if (low < high) {
        const range = new Range();
        range.setStart(node, units[low]);
        range.setEnd(node, units[high]);
        found.push(range);
      }
      at += units.length - 1;
    }
    return found;
  }
  for (const button of all("button.asked")) {
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      for (const each of all("button.asked"))
        each.setAttribute("aria-pressed", String(on && each === button));
      const parts = on ? itemPage.data.removed[Number(button.dataset.asked)] : [];
      const ranges = parts.flatMap(rangesOf);
      const onSource = on && button.dataset.side === "source";
      document.querySelector(".passages").classList.toggle("source-side", onSource);
      CSS.highlights.set("removed", new Highlight(...ranges));
      itemPage.chooseDrop(on ? button.dataset.drop : "");
      if (ranges.length)
        ranges[0].startContainer.parentElement.scrollIntoView({ block: "nearest" });
    });
  }
  for (const button of all("button.hit")) {
    button.addEventListener("click", () => itemPage.keepLast(button.dataset.hit));
  }
})();
