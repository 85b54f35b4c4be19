"use strict";
// The behaviour of an item page. Text from the data reaches the page as text nodes only.
const itemPage = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const details = document.getElementById("details");
  const fate = document.getElementById("fate");
  const pane = document.querySelector(".scroll");
  const MARGIN = 8; // pixels between a span that is scrolled to and the edge
  const state = { hidden: new Set(), premises: true, drop: "", asked: null, focus: "", kept: "" };

  const canvas = openCanvas(data);
  const { cy } = canvas;

  const shownPath = (name) => !state.hidden.has(name);

  function apply() {
    const drop = data.drops[state.drop];
    const lost = new Set(drop ? drop.lost : []);
    cy.batch(() => {
      cy.elements().forEach((element) => {
        const { path, fact, part, shared } = element.data();
        element.toggleClass("hidden", Boolean(path) && !shownPath(path));
        element.toggleClass("gone", lost.has(fact) || lost.has(part));
        element.toggleClass("focus", Boolean(fact) && fact === state.focus);
        if (shared) element.toggleClass("shared", shared.some(shownPath));
        if (element.hasClass("key") || element.hasClass("on-key"))
          element.toggleClass("bare", !state.premises);
      });
    });
    for (const mark of all("mark")) {
      mark.classList.toggle("hidden", !shownPath(data.facts[mark.dataset.fact].path));
      mark.classList.toggle("focus", mark.dataset.fact === state.focus);
    }
    for (const button of all("button.fact")) {
      button.classList.toggle("lost", lost.has(button.dataset.fact));
      button.classList.toggle("focus", button.dataset.fact === state.focus);
    }
    for (const passage of all(".passage")) {
      const dropped = Boolean(drop) && drop.passages.includes(Number(passage.dataset.passage));
      passage.classList.toggle("dropped", dropped);
      const tag = passage.querySelector(".gone");
      tag.hidden = !dropped;
      tag.textContent = dropped ? `removed by Drop ${state.drop}` : "";
    }
    tellFate(drop, lost);
  }

  function tellFate(drop, lost) {
    fate.classList.toggle("dropped", Boolean(drop || state.asked));
    if (state.asked && !drop) {
      const { name, source, passages } = state.asked;
      const places = passages.map((at) => `[${at}]`).join("");
      fate.replaceChildren(
        strong(name),
        source ? ": the passages as they were before anything was inserted; " : ": ",
        `what it removed is struck through${places ? ` in passage ${places}` : ""}.`,
      );
    } else if (!drop) {
      fate.replaceChildren("Nothing is dropped: the gold answer follows from everything written.");
    } else {
      const gold = drop.derivable
        ? "the gold answer is STILL derivable"
        : "the gold answer is no longer derivable";
      const passages = drop.passages.map((at) => `[${at}]`).join("");
      // Names are in elements of their own, so that their reading direction ends with them.
      const complete = drop.complete.flatMap((name, at) => [
        at ? "; " : "complete competitors: ",
        `${name} → `,
        strong(data.paths[name].endpoint),
      ]);
      const orphans = drop.orphans.map((name) => (name === "g" ? "gold" : name)).join(", ");
      fate.replaceChildren(
        `Drop ${state.drop} removes passage ${passages}: ${gold}; `,
        ...(complete.length ? complete : ["no competitor is complete"]),
        orphans ? `; continuations without a live prefix: ${orphans}.` : ".",
      );
    }
    for (const item of all("li.path")) {
      const tag = item.querySelector(".fateof");
      const name = item.dataset.path;
      tag.hidden = !drop;
      const isLost = data.paths[name].facts.some((fact) => lost.has(fact));
      tag.textContent = !drop
        ? ""
        : drop.complete.includes(name)
          ? "complete"
          : isLost
            ? "broken by the Drop"
            : "incomplete";
    }
  }

  function line(...pieces) {
    const paragraph = document.createElement("p");
    for (const piece of pieces) paragraph.append(piece);
    return paragraph;
  }

  function strong(text, className) {
    const element = document.createElement("bdi");
    element.className = className || "strong";
    element.textContent = text;
    return element;
  }

  // "the sequel to … was written by": the subjects stand in the gaps, where there are any.
  function said(fact) {
    const parts = fact.words.split("…");
    if (parts.length - 1 !== fact.subjects.length)
      return [strong(fact.subjects.join(" · ")), " ", strong(fact.words, "plain")];
    return parts.flatMap((part, at) => {
      const words = strong(part, "plain");
      return at ? [strong(fact.subjects[at - 1]), words] : [words];
    });
  }

  function tell(id) {
    const fact = data.facts[id];
    const name =
      fact.kind === "gold"
        ? "Gold"
        : `${fact.kind === "strict" ? "Strict" : "Flexible"} ${fact.path}`;
    const part = { gold: "gold fact", break: "× near-miss", continuation: "continuation" }[
      fact.status
    ];
    const head = line(
      strong(name, `kind ${fact.kind}`),
      ` hop ${fact.hop}, ${part} in passage ${fact.hosts.map((at) => `[${at}]`).join("")}`,
    );
    const told = line(...said(fact), " ", strong(fact.value));
    const list = document.createElement("ul");
    for (const code of fact.contracts) {
      const item = document.createElement("li");
      item.append(strong(code), `: ${data.contracts[code]}`);
      list.append(item);
    }
    if (fact.shared.length) {
      const item = document.createElement("li");
      item.append(
        strong("S3"),
        `: shared as it is by ${fact.shared.join(", ")}: ${data.contracts.S3}`,
      );
      list.append(item);
    }
    const spans = all("mark")
      .filter((mark) => mark.dataset.fact === id)
      .map((mark) => {
        const text = mark.querySelector(".t").textContent.trim();
        return line("“", strong(text.length > 600 ? `${text.slice(0, 600)}…` : text), "”");
      });
    details.replaceChildren(head, told, ...spans, list);
    details.scrollTop = 0;
  }

  // Scrolls the passages alone: were the window to scroll, what is pointed at would slip away.
  function show(mark) {
    const { top, bottom } = mark.getBoundingClientRect();
    const frame = pane.getBoundingClientRect();
    const low = Math.min(frame.bottom, innerHeight) - MARGIN;
    const high = Math.max(frame.top, 0) + MARGIN;
    if (top < high || bottom - top > low - high) pane.scrollTop += top - high;
    else if (bottom > low) pane.scrollTop += bottom - low;
  }

  function focus(id, scroll) {
    if (state.focus === id) return;
    state.focus = id;
    if (id) {
      tell(id);
      const mark = all("mark").find((each) => each.dataset.fact === id);
      if (scroll && mark) show(mark);
    }
    apply();
  }

  function keep(id) {
    state.kept = state.kept === id ? "" : id;
    details.classList.toggle("kept", Boolean(state.kept));
    state.focus = "";
    focus(id, true);
  }

  const leave = () => focus(state.kept, false);

  const capPassages = () => {
    const above = document.querySelector("main").offsetTop;
    pane.parentElement.style.setProperty("--above", `${above}px`);
  };
  addEventListener("resize", capPassages);
  capPassages();

  watchCanvas(canvas, {
    point: (fact) => {
      if (!state.kept) focus(fact, true);
    },
    leave,
    choose: keep,
  });
  for (const element of all("mark, button.fact")) {
    const id = element.dataset.fact;
    const scroll = element.tagName === "BUTTON";
    element.addEventListener("mouseenter", () => {
      if (!state.kept) focus(id, scroll);
    });
    element.addEventListener("mouseleave", leave);
    element.addEventListener("focus", () => {
      if (!state.kept) focus(id, scroll);
    });
    element.addEventListener("click", () => keep(id));
    element.addEventListener("keydown", (event) => {
      if (element.tagName === "MARK" && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        keep(id);
      }
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    state.kept = "";
    details.classList.remove("kept");
    focus("", false);
  });

  const boxes = (kind) =>
    all("input[data-path]").filter((box) => data.paths[box.dataset.path].kind === kind);
  function readBoxes() {
    state.hidden = new Set(
      all("input[data-path]")
        .filter((box) => !box.checked)
        .map((box) => box.dataset.path),
    );
    if (!document.querySelector('input[data-kind="source"]').checked) state.hidden.add("source");
    for (const box of all("input[data-kind]")) {
      const own = boxes(box.dataset.kind);
      const checked = own.filter((each) => each.checked).length;
      if (own.length) {
        box.checked = checked > 0;
        box.indeterminate = checked > 0 && checked < own.length;
      } else if (box.dataset.kind !== "source") {
        box.disabled = true;
      }
    }
    apply();
  }
  for (const box of all("input[data-kind]")) {
    box.addEventListener("change", () => {
      for (const each of boxes(box.dataset.kind)) each.checked = box.checked;
      readBoxes();
    });
  }
  for (const box of all("input[data-path]")) box.addEventListener("change", readBoxes);
  document.getElementById("premises").addEventListener("change", (event) => {
    state.premises = event.target.checked;
    apply();
  });
  for (const radio of all('input[name="drop"]')) {
    radio.addEventListener("change", () => {
      state.drop = radio.value;
      state.asked = null;
      apply();
    });
  }
  document.getElementById("hosts").addEventListener("change", (event) => {
    document.querySelector(".passages").classList.toggle("only-hosts", event.target.checked);
  });
  // A browser that restores a form may leave none of them chosen.
  state.drop = document.querySelector('input[name="drop"]:checked')?.value ?? "";
  readBoxes();

  // A condition of an audit takes the place of a chosen Drop, and is one where it removes the same;
  // no radio is chosen beside any other, so that "nothing" can be chosen then. Null ends it.
  function chooseAsked(asked) {
    state.asked = asked;
    state.drop = asked && data.drops[asked.drop] ? asked.drop : "";
    for (const radio of all('input[name="drop"]'))
      radio.checked = radio.value === state.drop && (!asked || Boolean(state.drop));
    apply();
  }

  function keepLast(path) {
    const own = data.paths[path].facts.filter((id) => data.facts[id].path === path);
    state.kept = "";
    keep(own[own.length - 1]);
    canvas.box.scrollIntoView({ block: "nearest" });
  }

  return { data, chooseAsked, keepLast };
})();
