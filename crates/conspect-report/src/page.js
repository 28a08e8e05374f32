document.documentElement.dataset.script = "ran";
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}
for (const button of document.querySelectorAll("button[data-copies]")) {
  const text = JSON.parse(document.getElementById(button.dataset.copies).textContent);
  const said = button.textContent;
  button.hidden = false;
  button.dataset.length = [...text].length;
  button.addEventListener("click", async () => {
    button.textContent = await copy(text) ? "Copied" : "Copying is not allowed here";
    setTimeout(() => { button.textContent = said; }, 1600);
  });
}
for (const link of document.querySelectorAll("a[href^='#']")) {
  link.addEventListener("click", () => {
    const target = document.getElementById(link.hash.slice(1));
    if (target instanceof HTMLDetailsElement && !link.closest(".strip")) target.open = true;
  });
}
