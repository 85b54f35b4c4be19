"use strict";
// The table of a site. Rows come from scripts in data/, which call rows(); only what is in the
// window is in the page. Text from the data reaches the page as text nodes only.
const tables = { items: [], excluded: [] };
function rows(name, more) {
  tables[name].push(...more);
}

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const get = (id) => document.getElementById(id);

  function cell(text, className) {
    const made = document.createElement("td");
    const inner = document.createElement("div");
    inner.dir = "auto";
    inner.textContent = text;
    made.append(inner);
    if (className) made.className = className;
    return made;
  }

  const outcomeOf = (item) =>
    data.models.length ? item[data.items.outcomes][Number(get("model").value)] : undefined;
  function told([full, fulls, drop, drops, control, controls, hits]) {
    const pieces = [
      fulls && `Full ${full}/${fulls}`,
      drops && `Drop ${drop}/${drops}`,
      controls && `Control ${control}/${controls}`,
      hits && `wrong hits ${hits}`,
    ];
    return pieces.filter(Boolean).join(" · ") || "not judged";
  }
  function wantedOutcome(item) {
    const wanted = data.models.length ? get("outcome").value : "";
    if (!wanted) return true;
    const outcome = outcomeOf(item);
    if (!outcome) return false;
    const [full, fulls, drop, , , , hits] = outcome;
    return { right: full > 0, wrong: full < fulls, survives: drop > 0, hit: hits > 0 }[wanted];
  }

  // What stands in a cell: a list as its words, a number that is not known as a dash.
  function written(value) {
    if (Array.isArray(value)) return value.join(" ") || "none";
    return typeof value === "number" && value < 0 ? "–" : value;
  }
  const shortId = (id) => id.slice(id.indexOf("/") + 1) || "(no id)";

  function tableRow(table, row, link) {
    const made = document.createElement("tr");
    link.classList.add("open");
    link.dir = "auto";
    for (const { at, bold } of table.columns) {
      const inner = cell(at === 1 ? "" : written(row[at]), bold ? "strong" : "");
      if (at === 1) inner.firstChild.append(link);
      else inner.firstChild.title = written(row[at]);
      made.append(inner);
    }
    return made;
  }

  function itemRow(item) {
    const link = document.createElement(item[0] ? "a" : "span");
    link.textContent = shortId(item[1]);
    if (item[0]) {
      link.href = item[0];
    } else {
      const problem = item[data.items.problem];
      link.tabIndex = 0;
      link.title = problem;
      link.textContent += ` (no page: ${problem})`;
    }
    const row = tableRow(data.items, item, link);
    const outcome = outcomeOf(item);
    if (data.models.length) row.append(cell(outcome ? told(outcome) : "not asked"));
    return row;
  }

  function excludedRow(record) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = shortId(record[1]);
    button.addEventListener("click", () => explain(record));
    return tableRow(data.excluded, record, button);
  }

  function explain(record) {
    const lines = data.excluded.detail.flatMap(([name, at]) =>
      [record[at]].flat().map((text) => [name, text]),
    );
    get("why").replaceChildren(
      ...[[record[1] || "(no id)", ""], ...lines.filter(([, text]) => text !== "")].map(
        ([name, text]) => {
          const line = document.createElement("p");
          const head = document.createElement("bdi");
          head.className = "strong";
          head.textContent = name;
          const rest = document.createElement("bdi");
          rest.textContent = text;
          line.append(head, " ", rest);
          return line;
        },
      ),
    );
  }

  const items = new List(get("item-rows"), itemRow, ".open");
  const excluded = new List(get("excluded-rows"), excludedRow, ".open");
  const fields = [
    "q",
    "eq",
    ...data.items.filters.map((each) => each.id),
    ...data.excluded.filters.map((each) => each.id),
    ...(data.models.length ? ["model", "outcome"] : []),
  ];
  const state = { part: "items", sort: "" };
  const headed = data.items.filters.filter((each) => each.head).length;
  if (headed) get("item-rows").querySelector("table").style.minWidth = `${74 + 9 * headed}rem`;

  const text = new WeakMap();
  function has(row, columns, words) {
    if (!words.length) return true;
    let all = text.get(row);
    if (all === undefined) {
      all = columns
        .map((column) => row[column])
        .join("\n")
        .toLowerCase();
      text.set(row, all);
    }
    return words.every((word) => all.includes(word));
  }
  const words = (id) => get(id).value.toLowerCase().split(/\s+/).filter(Boolean);

  const passes = {
    same: (value, wanted) => String(value) === wanted,
    least: (value, wanted) => value >= Number(wanted),
    holds: (value, wanted) => {
      if (wanted === "none" || wanted === "some") return value.length > 0 === (wanted === "some");
      return value.includes(wanted);
    },
  };
  const chosen = (table) =>
    table.filters.map(({ id, at, how }) => ({ at, test: passes[how], value: get(id).value }));
  const wanted = (row, choices) =>
    choices.every(({ at, test, value }) => !value || test(row[at], value));

  function sorted(found) {
    if (!state.sort) return found;
    const column = Number(state.sort.slice(1));
    const way = state.sort[0] === "-" ? -1 : 1;
    const collator = new Intl.Collator("en", { numeric: true });
    return found
      .slice()
      .sort(
        (one, other) =>
          way *
          (typeof one[column] === "number"
            ? one[column] - other[column]
            : collator.compare(String(one[column]), String(other[column]))),
      );
  }

  function refresh(remember) {
    const query = words("q");
    const choices = chosen(data.items);
    const found = sorted(
      tables.items.filter(
        (row) =>
          wanted(row, choices) && wantedOutcome(row) && has(row, data.items.search, query),
      ),
    );
    items.show(found);
    const loading =
      tables.items.length < data.items.count ? ` (reading, ${tables.items.length} so far)` : "";
    get("found").textContent = `${found.length} of ${data.items.count} items${loading}`;
    const queryExcluded = words("eq");
    const codes = chosen(data.excluded);
    const out = tables.excluded.filter(
      (row) => wanted(row, codes) && has(row, data.excluded.search, queryExcluded),
    );
    excluded.show(out);
    get("efound").textContent = `${out.length} of ${data.excluded.count} excluded records`;
    for (const button of document.querySelectorAll("[data-sort]")) {
      const way =
        state.sort.slice(1) === button.dataset.sort
          ? state.sort[0] === "-"
            ? "descending"
            : "ascending"
          : "none";
      button.closest("th").setAttribute("aria-sort", way);
    }
    for (const part of ["items", "excluded", "charts"]) get(part).hidden = part !== state.part;
    for (const button of document.querySelectorAll("[data-part]"))
      button.setAttribute("aria-pressed", String(button.dataset.part === state.part));
    if (remember) {
      const kept = new URLSearchParams();
      for (const id of fields)
        if (get(id).value && get(id).value !== "0") kept.set(id, get(id).value);
      if (state.part !== "items") kept.set("part", state.part);
      if (state.sort) kept.set("sort", state.sort);
      history.replaceState(null, "", `#${kept}`);
    }
  }

  data.models.forEach((model, at) => {
    const option = document.createElement("option");
    option.value = String(at);
    option.textContent = model;
    get("model").append(option);
  });

  const kept = new URLSearchParams(location.hash.slice(1));
  for (const id of fields) if (kept.has(id)) get(id).value = kept.get(id);
  if (["items", "excluded", "charts"].includes(kept.get("part"))) state.part = kept.get("part");
  if (/^[+-]\d+$/.test(kept.get("sort") || "")) state.sort = kept.get("sort");

  for (const id of fields) get(id).addEventListener("input", () => refresh(true));
  for (const form of document.forms)
    form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of document.querySelectorAll("[data-part]")) {
    button.addEventListener("click", () => {
      state.part = button.dataset.part;
      refresh(true);
    });
  }
  for (const button of document.querySelectorAll("[data-sort]")) {
    button.addEventListener("click", () => {
      const column = button.dataset.sort;
      state.sort =
        state.sort === `+${column}`
          ? `-${column}`
          : state.sort === `-${column}`
            ? ""
            : `+${column}`;
      refresh(true);
    });
  }
  followTheme(() => {});

  const files = ["items", "excluded"].flatMap((name) =>
    Array.from(
      { length: Math.ceil(data[name].count / data.chunk) },
      (_, at) => `data/${name}-${String(at).padStart(4, "0")}.js`,
    ),
  );
  function load(at) {
    refresh(false);
    if (at === 1 || !files.length) performance.mark("rows");
    if (at === files.length) {
      document.body.dataset.ready = "yes";
      return;
    }
    const script = document.createElement("script");
    script.src = files[at];
    script.addEventListener("load", () => load(at + 1));
    script.addEventListener("error", () => {
      get("found").textContent = `${files[at]} cannot be read; write the site again`;
    });
    document.body.append(script);
  }
  load(0);
})();
