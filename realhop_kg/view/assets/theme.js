"use strict";
// The button that chooses between light, dark, and what the system says.
function followTheme(changed) {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const themes = ["system", "light", "dark"];
  button.addEventListener("click", () => {
    const now = root.dataset.theme || "system";
    const next = themes[(themes.indexOf(now) + 1) % themes.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    button.textContent = `Colours: ${next}`;
    button.setAttribute(
      "aria-label",
      next === "system" ? "Colours: as the system" : `Colours: ${next}`,
    );
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
