// The field above the list of measures: rows that do not have all its words are left out, and groups without rows.
const field = document.getElementById("filter-measures");
if (field) {
  const sections = [...document.querySelectorAll("article section section")];
  const said = document.querySelector(".filter-measures [role=status]");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const section of sections) {
      let left = 0;
      for (const row of section.querySelectorAll("tbody tr")) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        left += row.hidden ? 0 : 1;
      }
      section.hidden = !left;
      shown += left;
    }
    said.textContent = words.length ? `${shown} found` : "";
  });
}
