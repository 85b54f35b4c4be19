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

  const partsOf = (button) => (button ? itemPage.data.removed[Number(button.dataset.asked)] : []);

  // Strikes through what the condition of a button removed, or nothing without one.
  function strike(button) {
    for (const each of all("button.asked"))
      each.setAttribute("aria-pressed", String(each === button));
    const onSource = button?.dataset.side === "source";
    document.querySelector(".passages").classList.toggle("source-side", onSource);
    const ranges = partsOf(button).flatMap(rangesOf);
    CSS.highlights.set("removed", new Highlight(...ranges));
    return ranges;
  }

  for (const button of all("button.asked")) {
    button.addEventListener("click", () => {
      const chosen = button.getAttribute("aria-pressed") === "true" ? null : button;
      const ranges = strike(chosen);
      itemPage.chooseAsked(
        chosen && {
          name: chosen.textContent,
          drop: chosen.dataset.drop,
          source: chosen.dataset.side === "source",
          passages: [...new Set(partsOf(chosen).map(([passage]) => passage))],
        },
      );
      if (ranges.length)
        ranges[0].startContainer.parentElement.scrollIntoView({ block: "nearest" });
    });
  }
  for (const radio of all('input[name="drop"]'))
    radio.addEventListener("change", () => strike(null));
  for (const button of all("button.hit")) {
    button.addEventListener("click", () => itemPage.keepLast(button.dataset.hit));
  }
})();
