"use strict";
// How cytoscape draws the picture: the page's own colours, and the widths and dashes of the palette.
function look(size) {
  const page = getComputedStyle(document.documentElement);
  const color = (name) => page.getPropertyValue(name).trim();
  const colors = { prefix: "gold", suffix: "source", strict: "rival", flexible: "rival" };
  const path = (kind) => colors[kind] || kind;
  const rules = [
    {
      selector: "node",
      style: {
        "font-family": page.fontFamily,
        "font-size": size,
        color: color("--ink"),
        "text-wrap": "wrap",
        "text-max-width": 2000,
        "line-height": 1.25,
        "overlay-opacity": 0,
        "z-index-compare": "manual",
      },
    },
    {
      selector: "node[label]",
      style: { label: "data(label)", "text-valign": "center", "text-halign": "center" },
    },
    {
      selector: ".band",
      style: {
        shape: "rectangle",
        width: "data(w)",
        height: "data(h)",
        "background-color": color("--stripe"),
        "z-index": 0,
        events: "no",
      },
    },
    {
      selector: ".box",
      style: { shape: "round-rectangle", width: "data(w)", height: "data(h)", "z-index": 3 },
    },
    {
      selector: ".key",
      style: {
        shape: "diamond",
        width: size * 0.9,
        height: size * 0.9,
        "background-color": color("--paper"),
        "border-width": 1.5,
        "z-index": 3,
      },
    },
    {
      selector: ".mark",
      style: {
        shape: "ellipse",
        width: size * 1.05,
        height: size * 1.05,
        "background-color": color("--paper"),
        "border-width": 1.2,
        "font-weight": "bold",
        "border-color": color("--rival"),
        color: color("--rival"),
        "z-index": 4,
      },
    },
    {
      selector: ".label",
      style: {
        shape: "rectangle",
        width: 1,
        height: 1,
        "background-opacity": 0,
        "font-size": size * 0.85,
        "z-index": 4,
        "text-events": "yes",
      },
    },
    {
      selector: ".label.on-column",
      style: { "font-size": size, "font-weight": "bold", events: "no" },
    },
    { selector: ".label.on-path", style: { "font-weight": "bold" } },
    { selector: ".label.start", style: { "text-halign": "right", "text-justification": "left" } },
    {
      selector: "edge",
      style: {
        "curve-style": "straight",
        "source-endpoint": "data(out)",
        "target-endpoint": "data(in)",
        "edge-distances": "endpoints",
        "target-arrow-shape": "none",
        "arrow-scale": 1,
        "overlay-opacity": 0,
        "z-index": 1,
        "z-index-compare": "manual",
      },
    },
    {
      selector: "edge.bent",
      style: {
        "curve-style": "segments",
        "segment-weights": "data(weights)",
        "segment-distances": "data(distances)",
        "segment-radii": 0,
      },
    },
    { selector: "edge.arrow", style: { "target-arrow-shape": "triangle" } },
  ];
  const widths = {
    source: 1.1,
    gold: 2.6,
    strict: 1.3,
    flexible: 1.3,
    prefix: 2.6,
    defect: 1.8,
    suffix: 1.3,
  };
  for (const kind of Object.keys(widths)) {
    const stroke = color(`--${path(kind)}`);
    const dash = kind === "flexible" || kind === "suffix" ? "dashed" : "solid";
    rules.push(
      {
        selector: `.box.${kind}`,
        style: {
          "background-color":
            dash === "dashed" ? color("--paper") : color(`--${path(kind)}-fill`),
          "border-color": stroke,
          "border-width": widths[kind],
          "border-style": dash,
          color: color(`--${path(kind)}-text`),
        },
      },
      { selector: `.key.${kind}`, style: { "border-color": stroke } },
      { selector: `.label.${kind}`, style: { color: color(`--${path(kind)}-text`) } },
      {
        selector: `edge.${kind}`,
        style: {
          width: widths[kind],
          "line-color": stroke,
          "target-arrow-color": stroke,
          "line-style": dash,
          "line-dash-pattern": [6, 4],
          "z-index": kind === "gold" ? 2 : 1,
        },
      },
    );
  }
  rules.push(
    { selector: ".box.defect", style: { "border-width": 5, "border-style": "double" } },
    {
      selector: ".mark.defect",
      style: { "border-color": color("--defect"), color: color("--defect") },
    },
    { selector: ".label.on-key", style: { color: color("--muted") } },
    { selector: ".box.answer", style: { "font-weight": "bold" } },
    { selector: ".box.source.answer", style: { "font-weight": "normal" } },
    { selector: "edge.rebinds", style: { "line-style": "dotted" } },
    {
      selector: "edge.shared",
      style: {
        "underlay-color": color("--rival"),
        "underlay-opacity": 1,
        "underlay-padding": 3.5,
        "line-outline-width": 2,
        "line-outline-color": color("--paper"),
      },
    },
    { selector: ".bare", style: { opacity: 0, events: "no" } },
    { selector: ".hidden", style: { display: "none" } },
    { selector: ".gone", style: { opacity: 0.22 } },
    {
      selector: "edge.gone",
      style: { "line-style": "dotted", "underlay-opacity": 0, "line-outline-width": 0 },
    },
    {
      selector: "edge.focus",
      style: { "line-outline-width": 3, "line-outline-color": color("--focus") },
    },
    {
      selector: ".box.focus, .key.focus, .mark.focus",
      style: {
        "outline-width": 3,
        "outline-color": color("--focus"),
        "outline-offset": 1,
        opacity: 1,
      },
    },
  );
  return rules;
}
