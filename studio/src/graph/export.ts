// Pictures as files: SVG with the styles written into it, PNG made from that.

import { around, type Box } from "./geometry";

const KEPT = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "paint-order",
  "text-decoration-line",
];

/** The drawing as a text that needs nothing from outside. */
export function svgOf(drawing: SVGSVGElement, boxes: Iterable<Box>): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((one, index) => {
    const style = getComputedStyle(originals[index]);
    const moved = originals[index].style.transform;
    one.removeAttribute("style");
    if (moved) one.setAttribute("transform", moved.replaceAll("px", ""));
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value) one.setAttribute(name, value);
    }
    for (const name of ["class", "tabindex", "role"]) one.removeAttribute(name);
  });
  copy.querySelector("[data-all]")?.removeAttribute("transform");
  const { x, y, width, height } = around(boxes);
  const [left, top, wide, high] = [x - 60, y - 40, width + 120, height + 80];
  copy.setAttribute("viewBox", `${left} ${top} ${wide} ${high}`);
  copy.setAttribute("width", String(Math.round(wide)));
  copy.setAttribute("height", String(Math.round(high)));
  copy.removeAttribute("style");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const paper = getComputedStyle(drawing).getPropertyValue("--paper").trim() || "white";
  for (const [name, value] of Object.entries({ x: left, y: top, width: wide, height: high, fill: paper })) ground.setAttribute(name, String(value));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** The same as pixels, twice as fine. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(2, 12_000 / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The picture is too large for this browser."))), "image/png"));
}
