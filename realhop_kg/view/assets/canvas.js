"use strict";
// The picture of a page: cytoscape with every place given, moved and zoomed by mouse and keyboard.
function openCanvas(data) {
  const box = document.getElementById("graph");
  const LEAST = 0.75; // smallest type that can be read; a narrower window scrolls instead
  const MOST = 1.15;

  const cy = cytoscape({
    container: box,
    elements: data.elements,
    layout: { name: "preset" },
    style: look(data.font),
    autoungrabify: true,
    autounselectify: true,
    boxSelectionEnabled: false,
    userZoomingEnabled: false,
    minZoom: 0.2,
    maxZoom: 4,
  });

  function fit() {
    box.style.minWidth = `${Math.ceil(data.width * LEAST)}px`;
    const zoom = Math.min(MOST, box.clientWidth / data.width);
    box.style.height = `${Math.ceil(data.height * zoom) + 4}px`;
    cy.resize();
    cy.viewport({
      zoom,
      pan: { x: Math.max(0, (box.clientWidth - data.width * zoom) / 2), y: 2 },
    });
  }

  function zoomBy(factor) {
    cy.zoom({
      level: cy.zoom() * factor,
      renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 },
    });
  }

  const zooms = { in: () => zoomBy(1.25), out: () => zoomBy(0.8), fit };
  for (const button of document.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", zooms[button.dataset.zoom]);
  const pans = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  box.addEventListener("keydown", (event) => {
    const act = { "+": zooms.in, "=": zooms.in, "-": zooms.out, 0: fit }[event.key];
    if (act) act();
    else if (pans[event.key]) cy.panBy({ x: pans[event.key][0], y: pans[event.key][1] });
    else return;
    event.preventDefault();
  });

  followTheme(() => cy.style(look(data.font)));
  addEventListener("resize", fit);
  fit();
  return { cy, box };
}

// Tells which fact is pointed at in the picture, which one was left, and which one was chosen.
function watchCanvas({ cy, box }, { point, leave, choose }) {
  cy.on("mouseover", "node, edge", (event) => {
    const fact = event.target.data("fact");
    if (fact) point(fact);
    box.style.cursor = fact ? "pointer" : "";
  });
  cy.on("mouseout", "node, edge", () => {
    box.style.cursor = "";
    leave();
  });
  box.addEventListener("mouseleave", leave);
  cy.on("tap", (event) => {
    const fact = event.target === cy ? "" : event.target.data("fact");
    if (fact) choose(fact);
  });
}
