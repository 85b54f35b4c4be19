"use strict";
// A table of which only the rows in its window are in the page. The style sheet has their height.
const ROW = 52;
const MARGIN = 6;

class List {
  constructor(box, row, open) {
    this.box = box;
    this.body = box.querySelector("tbody");
    this.row = row;
    this.open = open;
    this.shown = [];
    this.made = new Map();
    this.top = this.spacer();
    this.bottom = this.spacer();
    this.body.append(this.top, this.bottom);
    let waiting = false;
    box.addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.draw();
      });
    });
    box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(box);
  }

  spacer() {
    const row = document.createElement("tr");
    row.setAttribute("aria-hidden", "true");
    row.className = "spacer";
    row.append(document.createElement("td"));
    return row;
  }

  show(found) {
    this.shown = found;
    for (const row of this.made.values()) row.remove();
    this.made.clear();
    this.box.querySelector("table").setAttribute("aria-rowcount", String(found.length + 1));
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - MARGIN);
    const last = Math.min(
      this.shown.length,
      Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + MARGIN,
    );
    let next = this.bottom;
    for (let at = last - 1; at >= first; at -= 1) {
      let row = this.made.get(at);
      if (!row) {
        row = this.row(this.shown[at]);
        row.setAttribute("aria-rowindex", String(at + 2));
        this.made.set(at, row);
        this.body.insertBefore(row, next);
      }
      next = row;
    }
    this.top.style.height = `${first * ROW}px`;
    this.bottom.style.height = `${Math.max(0, this.shown.length - last) * ROW}px`;
    // Last, since removing the row that has the focus makes browsers settle how far to scroll.
    for (const [at, row] of this.made) {
      if (at < first || at >= last) {
        row.remove();
        this.made.delete(at);
      }
    }
  }

  key(event) {
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -Infinity,
      End: Infinity,
    }[event.key];
    if (!step || !this.shown.length) return;
    let at = -1;
    for (const [index, row] of this.made) if (row.contains(document.activeElement)) at = index;
    at = Math.min(this.shown.length - 1, Math.max(0, at + step));
    const head = this.box.querySelector("thead").offsetHeight;
    if (at * ROW < this.box.scrollTop) this.box.scrollTop = at * ROW;
    else if ((at + 1) * ROW + head > this.box.scrollTop + this.box.clientHeight)
      this.box.scrollTop = (at + 1) * ROW + head - this.box.clientHeight;
    this.draw();
    this.made.get(at).querySelector(this.open).focus({ preventScroll: true });
    event.preventDefault();
  }
}
