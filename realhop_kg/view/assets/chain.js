"use strict";
// The behaviour of the page of a chain. Text from the data reaches the page as text nodes only.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const fate = document.getElementById("fate");
  const unfocused = fate.textContent;
  const canvas = openCanvas(data);
  const state = { focus: "", kept: "" };

  function apply() {
    const shown = new Set(
      all("input[data-kind]")
        .filter((box) => box.checked)
        .map((box) => box.dataset.kind),
    );
    // A chain without prefix still has the page that the question names.
    const kinds = new Set(all("input[data-kind]").map((box) => box.dataset.kind));
    const hidden = (kind) => kinds.has(kind) && !shown.has(kind);
    canvas.cy.batch(() => {
      canvas.cy.elements().forEach((element) => {
        const { path, fact } = element.data();
        element.toggleClass("hidden", Boolean(path) && hidden(path));
        element.toggleClass("focus", Boolean(fact) && fact === state.focus);
      });
    });
    for (const element of all("[data-fact]"))
      element.classList.toggle("focus", element.dataset.fact === state.focus);
    for (const kind of kinds)
      for (const step of all(`.step.${kind}`)) step.hidden = hidden(kind);
    tell();
  }

  function tell() {
    fate.classList.toggle("dropped", Boolean(state.focus));
    if (!state.focus) {
      fate.textContent = unfocused;
      return;
    }
    const [head, rest] = data.steps[state.focus].map((text) => {
      const element = document.createElement("bdi");
      element.textContent = text;
      return element;
    });
    head.className = "strong";
    fate.replaceChildren(head, ": ", rest);
  }

  function focus(id, scroll) {
    if (state.focus === id) return;
    state.focus = id;
    apply();
    const step = all(".step").find((each) => each.dataset.fact === id);
    if (scroll && step) step.scrollIntoView({ block: "nearest" });
  }
  const point = (id) => {
    if (!state.kept) focus(id, false);
  };
  const leave = () => focus(state.kept, false);
  function keep(id, scroll) {
    state.kept = state.kept === id ? "" : id;
    state.focus = "";
    focus(id, scroll);
    if (!state.kept) focus("", false);
  }

  watchCanvas(canvas, { point, leave, choose: (id) => keep(id, true) });
  for (const element of all("[data-fact]")) {
    const id = element.dataset.fact;
    element.addEventListener("mouseenter", () => point(id));
    element.addEventListener("mouseleave", leave);
    element.addEventListener("focus", () => point(id));
    element.addEventListener("click", () => keep(id, !element.classList.contains("step")));
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      keep(id, false);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    state.kept = "";
    focus("", false);
  });
  for (const box of all("input[data-kind]")) box.addEventListener("change", apply);
  apply();
})();
