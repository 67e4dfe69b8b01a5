// A picture with numbered boxes: zoom about the pointer, drag, and clicks as points of the picture.

export const css = `
.bw-cs-stage { flex: 1; min-height: 160px; background: #000; border-radius: 5px; overflow: hidden; }
.bw-cs-stage svg { display: block; width: 100%; height: 100%; touch-action: none; cursor: crosshair; user-select: none; }
`;

const MOST_ZOOM = 12;
const DRAG = 4; // pixels from which a press is no click
export const WHOLE = { k: 1, x: 0, y: 0 };

// neighbours in number are far apart in hue: the golden angle; blue is dark by itself
export function colourOf(at) {
  const hue = (at * 137.5 + 50) % 360;
  return `hsl(${hue} 95% ${hue > 215 && hue < 300 ? 76 : 62}%)`;
}

const area = ([, , width, height]) => width * height;
const holds = ([x, y, width, height], at) =>
  at.x >= x && at.y >= y && at.x <= x + width && at.y <= y + height;

export function smallestAt(boxes, at) {
  const held = boxes.filter((box) => holds(box.bbox, at));
  return held.length ? held.reduce((one, other) => (area(other.bbox) < area(one.bbox) ? other : one)) : null;
}

const within = (low, value, high) => Math.min(high, Math.max(low, value));

// zoom by a factor about a point of the picture's frame; the picture never leaves the frame
export function zoomed(view, factor, at, { width, height }) {
  const k = within(1, view.k * factor, MOST_ZOOM);
  const move = (from, centre) => centre - ((centre - from) * k) / view.k;
  return clamped({ k, x: move(view.x, at.x), y: move(view.y, at.y) }, { width, height });
}

function clamped({ k, x, y }, { width, height }) {
  return { k, x: within(width * (1 - k), x, 0), y: within(height * (1 - k), y, 0) };
}

export function viewOf([x, y, wide, high], { width, height }) {
  const k = within(1, 0.5 * Math.min(width / wide, height / high), MOST_ZOOM);
  const centre = { x: width / 2 - k * (x + wide / 2), y: height / 2 - k * (y + high / 2) };
  return clamped({ k, ...centre }, { width, height });
}

// a number stands at a corner of what is to be seen of its box, where it hides no other number
function placed(boxes, unit, view, { width, height }) {
  const left = -view.x / view.k;
  const top = -view.y / view.k;
  const right = left + width / view.k;
  const bottom = top + height / view.k;
  const taken = [];
  const meets = (one) =>
    taken.some((other) => Math.abs(one.x - other.x) < (one.w + other.w) / 2 && Math.abs(one.y - other.y) < one.h);
  return boxes.map(({ id, bbox: [x, y, wide, high], star }) => {
    const w = (9 * (id.length + (star ? 1.6 : 0)) + 9) * unit;
    const h = 19 * unit;
    const x0 = Math.max(x, left);
    const y0 = Math.max(y, top);
    const x1 = Math.min(x + wide, right) - w;
    const y1 = Math.min(y + high, bottom) - h;
    if (x1 + w <= x0 || y1 + h <= y0) return null; // out of sight
    const inside = [[x0, y0], [x1, y0], [x0, y1], [x1, y1]];
    const outside = [[x0, y0 - h], [x0, y1 + h], [x0 - w, y0], [x1 + w, y0], [x0 - w, y1], [x1 + w, y1]];
    const isSmall = w * h > 0.4 * wide * high; // its number would hide it
    const spots = (isSmall ? [...outside, ...inside] : [...inside, ...outside]).map(([a, b]) => ({
      x: within(left, a, right - w) + w / 2,
      y: within(top, b, bottom - h) + h / 2,
      w,
      h,
    }));
    const spot = spots.find((each) => !meets(each)) ?? spots[0];
    taken.push(spot);
    return spot;
  });
}

// dark under its colour, so that it is seen on any picture
function Outline({ h, box, isOn, isHovered }) {
  const [x, y, width, height] = box.bbox;
  const line = isOn ? 3.5 : isHovered ? 3 : 1.5;
  const frame = { x, y, width, height, fill: "none", vectorEffect: "non-scaling-stroke" };
  const strokeDasharray = isOn || isHovered ? "none" : "5 3";
  return h(
    "g",
    null,
    h("rect", { ...frame, stroke: "#000", strokeOpacity: 0.7, strokeWidth: line + 2 }),
    h("rect", { ...frame, stroke: box.colour, strokeWidth: line, strokeDasharray }),
  );
}

function NumberOf({ h, box, unit, isOn, spot }) {
  const at = { x: spot.x - spot.w / 2, y: spot.y - spot.h / 2, width: spot.w, height: spot.h, rx: 3 * unit };
  const fill = isOn ? box.colour : "#000";
  const text = { x: spot.x, y: spot.y, textAnchor: "middle", dominantBaseline: "central", fontWeight: 700 };
  return h(
    "g",
    null,
    h("rect", { ...at, fill, fillOpacity: isOn ? 1 : 0.75, stroke: box.colour, vectorEffect: "non-scaling-stroke" }),
    h("text", { ...text, fontSize: 14 * unit, fill: isOn ? "#000" : box.colour }, box.star ? `${box.id} ★` : box.id),
  );
}

// the picture with wheel, drag and click; ``press`` gets a click as a point of the picture
export function Stage({ h, React, shown, boxes, src, marks, hovered, setHovered, view, setView, point, press }) {
  const svg = React.useRef(null);
  const held = React.useRef(null);
  const [fit, setFit] = React.useState(1);
  const toFrame = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current.getScreenCTM().inverse());
  const toPicture = (event) => {
    const at = toFrame(event);
    return { x: (at.x - view.x) / view.k, y: (at.y - view.y) / view.k };
  };

  React.useLayoutEffect(() => {
    const measure = () => {
      const { width, height } = svg.current.getBoundingClientRect();
      setFit(Math.min(width / shown.width, height / shown.height) || 1);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(svg.current);
    measure();
    return () => observer.disconnect();
  }, []);

  React.useEffect(() => {
    const onWheel = (event) => {
      event.preventDefault(); // only a listener that is not passive may
      const at = toFrame(event);
      setView((old) => zoomed(old, Math.exp(-event.deltaY / 400), at, shown));
    };
    svg.current.addEventListener("wheel", onWheel, { passive: false });
    return () => svg.current?.removeEventListener("wheel", onWheel);
  }, []);

  function onPointerDown(event) {
    if (event.button !== 0) return;
    svg.current.setPointerCapture(event.pointerId);
    held.current = { from: toFrame(event), view, x: event.clientX, y: event.clientY, isDrag: false };
  }
  function onPointerMove(event) {
    const hold = held.current;
    if (!hold) return setHovered(smallestAt(boxes, toPicture(event))?.id ?? null);
    hold.isDrag ||= Math.hypot(event.clientX - hold.x, event.clientY - hold.y) > DRAG;
    if (!hold.isDrag) return;
    const at = toFrame(event);
    const { k, x, y } = hold.view;
    setView(clamped({ k, x: x + at.x - hold.from.x, y: y + at.y - hold.from.y }, shown));
  }
  function onPointerUp(event) {
    const hold = held.current;
    held.current = null;
    if (hold && !hold.isDrag) press(toPicture(event));
  }

  const unit = 1 / (fit * view.k);
  const spots = placed(boxes, unit, view, shown);
  // what is marked or under the pointer lies above the others
  const order = boxes.map((box, at) => at).sort((one, other) => rank(one) - rank(other) || one - other);
  function isOn(at) {
    return marks.includes(boxes[at].id);
  }
  function rank(at) {
    return boxes[at].id === hovered ? 2 : isOn(at) ? 1 : 0;
  }
  return h(
    "div",
    { className: "bw-cs-stage" },
    h(
      "svg",
      {
        ref: svg,
        viewBox: `0 0 ${shown.width} ${shown.height}`,
        onPointerDown,
        onPointerMove,
        onPointerUp,
        onPointerLeave: () => setHovered(null),
        onPointerCancel: () => (held.current = null),
      },
      h(
        "g",
        { transform: `translate(${view.x} ${view.y}) scale(${view.k})` },
        h("image", { href: src, width: shown.width, height: shown.height, preserveAspectRatio: "none" }),
        order.map((at) =>
          h(Outline, { key: boxes[at].id, h, box: boxes[at], isOn: isOn(at), isHovered: boxes[at].id === hovered }),
        ),
        order.map((at) => spots[at] && h(NumberOf, { key: boxes[at].id, h, box: boxes[at], unit, isOn: isOn(at), spot: spots[at] })),
        point && h("circle", { cx: point.x, cy: point.y, r: 5 * unit, fill: "#fff", stroke: "#000", strokeWidth: 2, vectorEffect: "non-scaling-stroke" }),
      ),
    ),
  );
}
