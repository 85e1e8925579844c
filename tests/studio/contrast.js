// Texts, and what stands in empty fields, whose contrast to their ground is below 4.5, each with its contrast.
(() => {
  const channel = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return { r, g, b, a }; };
  const light = ({ r, g, b }) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = (each) => { for (; each; each = each.parentElement) { const c = parse(getComputedStyle(each).backgroundColor); if (c.a > 0.99) return c; } return { r: 255, g: 255, b: 255 }; };
  const over = (c, d, a) => ({ r: a * c.r + (1 - a) * d.r, g: a * c.g + (1 - a) * d.g, b: a * c.b + (1 - a) * d.b });
  const poor = [];
  const check = (text, element, style) => {
    const [front, back] = [parse(style.color), ground(element)];
    const [a, b] = [light(over(front, back, front.a * Number(style.opacity))), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push([text, ratio]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest(".unseen, svg, :disabled, option")) continue;
    check(walker.currentNode.textContent.trim(), element, getComputedStyle(element));
  }
  for (const each of document.querySelectorAll("[placeholder]")) {
    if (each.checkVisibility() && !each.disabled) check(each.placeholder, each, getComputedStyle(each, "::placeholder"));
  }
  return poor;
})()
