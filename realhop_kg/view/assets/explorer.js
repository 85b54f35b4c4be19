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
    data.models.length ? item[14][Number(get("model").value)] : undefined;
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

  function itemRow(item) {
    const row = document.createElement("tr");
    const name = item[1].slice(item[1].indexOf("/") + 1);
    let link;
    if (item[0]) {
      link = document.createElement("a");
      link.href = item[0];
    } else {
      link = document.createElement("span");
      link.tabIndex = 0;
      link.title = item[13];
    }
    link.className = "open";
    link.dir = "auto";
    link.textContent = item[0] ? name : `${name} (no page: ${item[13]})`;
    const first = document.createElement("td");
    const inner = document.createElement("div");
    inner.append(link);
    first.append(inner);
    row.append(
      first,
      cell(item[2]),
      cell(item[4]),
      cell(item[5], "strong"),
      cell(item[7]),
      cell(item[8]),
      cell(item[10] < 0 ? "–" : item[10]),
      cell(item[11] ? `${item[11]}, ${item[12]}` : "–"),
      cell(item[9].join(" ") || "none"),
    );
    const outcome = outcomeOf(item);
    if (data.models.length) row.append(cell(outcome ? told(outcome) : "not asked"));
    row.querySelector("td:nth-child(3) div").title = item[4];
    return row;
  }

  function excludedRow(record) {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "open plain";
    button.dir = "auto";
    button.textContent = record[0].slice(record[0].indexOf("/") + 1) || "(no id)";
    button.addEventListener("click", () => explain(record));
    const first = document.createElement("td");
    const inner = document.createElement("div");
    inner.append(button);
    first.append(inner);
    row.append(first, cell(record[1], "strong"), cell(record[2]), cell(record[3]), cell(record[4]));
    return row;
  }

  function explain(record) {
    const lines = [
      [record[0] || "(no id)", ""],
      [`${record[1]} at stage ${record[2]}`, record[7] && `wanted: ${record[7]}`],
      ["why", record[4]],
      ["question", record[3]],
      ["where", record[5]],
      ["field", record[6]],
      ...record[8].map((finding) => ["finding", finding]),
    ];
    get("why").replaceChildren(
      ...lines
        .filter(([name, text], at) => at === 0 || text)
        .map(([name, text]) => {
          const line = document.createElement("p");
          const head = document.createElement("bdi");
          head.className = "strong";
          head.textContent = name;
          const rest = document.createElement("bdi");
          rest.textContent = text;
          line.append(head, " ", rest);
          return line;
        }),
    );
  }

  const items = new List(get("item-rows"), itemRow, ".open");
  const excluded = new List(get("excluded-rows"), excludedRow, ".open");
  const fields = [
    "q",
    "shape",
    "hops",
    "diagnostics",
    "survivors",
    "eq",
    "code",
    ...(data.models.length ? ["model", "outcome"] : []),
  ];
  const state = { part: "items", sort: "" };

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

  function wantedItem(row, query) {
    const diagnostics = get("diagnostics").value;
    return (
      (!get("shape").value || row[2] === get("shape").value) &&
      (!get("hops").value || row[3] === Number(get("hops").value)) &&
      (!diagnostics ||
        (diagnostics === "none"
          ? !row[9].length
          : diagnostics === "some"
            ? row[9].length > 0
            : row[9].includes(diagnostics))) &&
      (get("survivors").value === "0" || row[10] >= Number(get("survivors").value)) &&
      wantedOutcome(row) &&
      has(row, [1, 4, 5, 6], query)
    );
  }

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
    const found = sorted(tables.items.filter((row) => wantedItem(row, query)));
    items.show(found);
    const loading =
      tables.items.length < data.items ? ` (reading, ${tables.items.length} so far)` : "";
    get("found").textContent = `${found.length} of ${data.items} items${loading}`;
    const queryExcluded = words("eq");
    const out = tables.excluded.filter(
      (row) =>
        (!get("code").value || row[1] === get("code").value) && has(row, [0, 3, 4], queryExcluded),
    );
    excluded.show(out);
    get("efound").textContent = `${out.length} of ${data.excluded} excluded records`;
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

  function options(id, values) {
    for (const value of values) {
      const option = document.createElement("option");
      option.value = option.textContent = value;
      get(id).append(option);
    }
  }
  options("shape", data.shapes);
  options("code", data.codes);
  options("hops", data.hops);
  options("diagnostics", data.diagnostics);

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
      { length: Math.ceil(data[name] / data.chunk) },
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
