"use strict";
// The frame of all audit screens: one panel beside the App's own picture viewer. It loads the task
// of the picture that is open, draws the screen of its kind, takes keys, stores and moves on.
(() => {
  const { React, recoil, __fos__: fos, __fou__: fou, __fop__: fop } = window;
  const h = React.createElement;
  const { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } = React;
  const NAME = "benchwright";
  const PICTURE = "fo-sample-modal-plugin"; // what the App calls its picture viewer

  // modules are asked for once a page, and anew on each, so that no old screen is left in a cache
  const load = (path) => import(new URL(`${path}?${Date.now()}`, here));
  const here = document.currentScript.src;
  const screens = new Map();
  const screenOf = (kind) => {
    const name = kind.replaceAll("-", "_");
    if (!screens.has(name)) screens.set(name, load(`screens/${name}.js`));
    return screens.get(name);
  };

  load("style.js").then(({ css }) => {
    const style = document.createElement("style");
    style.textContent = css;
    document.head.append(style);
  });

  // picture left, panel right, unless the auditor has laid it out otherwise
  const leaf = (id, pinned) => ({ id, type: id, pinned, children: [] });
  const side = (id, pinned) => ({
    id: `${id}-side`,
    type: "panel-container",
    activeChild: id,
    children: [leaf(id, pinned)],
  });
  const LAYOUT = "fo-sample-modal-plugins";
  if (!(localStorage.getItem(LAYOUT) ?? "").includes(`"${NAME}"`)) {
    const root = { id: "root", type: "panel-container", layout: "horizontal", sizes: [0.5, 0.5] };
    root.children = [side(PICTURE, true), side(NAME, false)];
    localStorage.setItem(LAYOUT, JSON.stringify(root));
  }
  localStorage.setItem("fiftyone-enterprise-tooltip-seen", "true");

  // operators: what they return, or {error}; never throws
  async function ask(context, operator, params) {
    const body = { operator_uri: `@benchwright/audits/${operator}`, params, ...context };
    try {
      const answer = await fou.getFetchFunction()("POST", "/operators/execute", body);
      if (!answer.error) return answer.result ?? {};
      return { error: String(answer.error_message ?? answer.error).trim().split("\n").pop() };
    } catch (problem) {
      const why = problem?.message ? ` (${problem.message})` : "";
      return { error: `the App server gave no answer to ${operator}${why}; start it again` };
    }
  }

  // keys
  // a button that keeps the focus would be pressed again by space or enter
  const leaveButton = () => {
    if (document.activeElement instanceof HTMLButtonElement) document.activeElement.blur();
  };

  const isTyping = (target) =>
    target instanceof Element &&
    target.closest(
      'textarea, select, [contenteditable=""], [contenteditable="true"], ' +
        "input:not([type=checkbox]):not([type=radio]):not([type=button]):not([type=range])",
    ) !== null;

  // the letter on the key where the layout has no Latin letters
  function keyOf(event) {
    const letter = /^Key([A-Z])$/.exec(event.code);
    if (letter && event.key.charCodeAt(0) > 127) return letter[1].toLowerCase();
    return event.key.length === 1 ? event.key.toLowerCase() : event.key;
  }

  function makeKeys() {
    const maps = new Map();
    const watchers = new Set();
    // the frame came first: its keys win, and stand last
    const all = () => Object.assign({}, ...[...maps.values()].reverse());
    return {
      all,
      watch: (run) => (watchers.add(run), () => watchers.delete(run)),
      put(owner, map) {
        if (map) maps.set(owner, map);
        else maps.delete(owner);
        watchers.forEach((run) => run());
      },
    };
  }

  // ``keys`` is {key: {label, run}}; a key without a label works and stands not in the help line
  const makeUseKeys = (registry) => (keys) => {
    const [owner] = useState(() => ({}));
    useLayoutEffect(() => registry.put(owner, keys));
    useLayoutEffect(() => () => registry.put(owner, null), []);
  };

  // the App's picture zooms by its wheel, and by keys only while the mouse is over it
  const ZOOM = { "+": -120, "=": -120, "-": 120 };
  function zoom(deltaY) {
    const picture = document.querySelector("#modal [data-cy=looker] canvas, #modal canvas");
    if (!picture) return;
    const { x, y, width, height } = picture.getBoundingClientRect();
    const middle = { clientX: x + width / 2, clientY: y + height / 2 };
    const how = { bubbles: true, cancelable: true, ...middle };
    picture.parentElement.dispatchEvent(new MouseEvent("mouseenter", how));
    picture.dispatchEvent(new MouseEvent("mousemove", how));
    picture.dispatchEvent(new WheelEvent("wheel", { ...how, deltaY }));
  }

  // the App's window of all that a sample holds would show what another auditor said
  const UNUSED = { j: { run: () => {} } };

  function useKeyboard(registry, isBusy) {
    useEffect(() => {
      function onKey(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
        if (isTyping(event.target)) {
          if (event.key !== "Escape" || !event.target.closest(".bw-panel")) return;
          event.target.blur(); // the App would close the picture
          event.stopImmediatePropagation();
          return;
        }
        const key = keyOf(event);
        const ofZoom = key in ZOOM ? { run: () => zoom(ZOOM[key]) } : null;
        const entry = registry.all()[key] ?? ofZoom ?? UNUSED[key];
        if (!entry) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (!event.repeat && !isBusy()) entry.run();
      }
      window.addEventListener("keydown", onKey, true);
      return () => window.removeEventListener("keydown", onKey, true);
    }, []);
  }

  function Help({ registry, isOpen }) {
    const read = () =>
      Object.entries(registry.all())
        .filter(([, entry]) => entry.label)
        .map(([key, entry]) => [key === " " ? "space" : key, entry.label]);
    const [lines, setLines] = useState(read);
    useLayoutEffect(() => {
      const look = () =>
        setLines((old) => (String(old) === String(read()) ? old : read()));
      look();
      return registry.watch(look);
    }, []);
    const ofTheApp = [
      ["+ −", "zoom, or the wheel; drag to move"],
      ["r", "the whole picture again"],
      ["← →", "step through what the App shows"],
      ["esc", "leave a field, or close the picture"],
    ];
    return h(
      "footer",
      { className: isOpen ? "bw-help bw-help-open" : "bw-help" },
      [...lines, ...(isOpen ? ofTheApp : [])].map(([key, label]) =>
        h("span", { key }, h("kbd", { className: "bw-key" }, key), label),
      ),
    );
  }

  // a screen that breaks must not take the App's window with it
  class Guard extends React.Component {
    state = { problem: null };
    static getDerivedStateFromError(problem) {
      return { problem };
    }
    render() {
      const { problem } = this.state;
      if (!problem) return this.props.children;
      return h("p", { className: "bw-error" }, `this screen broke: ${problem.message ?? problem}`);
    }
  }

  const counted = (number) => number.toLocaleString("en");

  function Header({ task, progress }) {
    const { total, done, mine, per_hour: perHour } = progress;
    const stands = task.mine && task.mine.verdict !== "withdrawn";
    return h(
      "header",
      { className: "bw-header" },
      h("strong", null, task.auditor),
      task.blind && h("span", { className: "bw-badge" }, "blind"),
      stands && h("span", { className: "bw-badge" }, `You said: ${verdictText(task.mine)}`),
      h("progress", { className: "bw-progress", value: done, max: Math.max(1, total) }),
      h("span", null, `${counted(done)} of ${counted(total)}`),
      h("span", { className: "bw-muted" }, `${counted(mine)} by you`),
      perHour > 0 && h("span", { className: "bw-muted" }, `${counted(perHour)} an hour`),
    );
  }

  const NOT_IN_VIEW = "the App does not show that picture: clear its view and filters";
  const LAST =
    "Stored, and nothing else is left for you in what the App shows. " +
    "When all is judged, run review-labels sync.";

  // "no, blue" where another value was named
  function verdictText(slot) {
    const said = slot.value ?? slot.verdict;
    const named = slot.text?.startsWith('{"value"') ? JSON.parse(slot.text).value : null;
    return named ? `${said}, ${named}` : said;
  }

  // the link that was printed asks for what is next, and its id is what was next when it was made
  const link = new URLSearchParams(location.search);
  const linked = link.has("next") ? link.get("id") : null;

  function Frame({ sampleId, dataset }) {
    const view = recoil.useRecoilValue(fos.view);
    const filters = recoil.useRecoilValue(fos.filters);
    const open = fos.useSetExpandedSample();
    const [task, setTask] = useState(null);
    const [Screen, setScreen] = useState(null);
    const [progress, setProgress] = useState(null);
    const [problem, setProblem] = useState(null);
    const [note, setNote] = useState("");
    const [last, setLast] = useState(null);
    const [isHelpOpen, setHelpOpen] = useState(false);
    const [visit, setVisit] = useState(0); // counts up to load the same sample anew
    const ahead = useRef(new Map()); // tasks that were fetched before they are wanted
    const shownAt = useRef(0);
    const busy = useRef(false);
    const noteField = useRef(null);
    const unopened = useRef(0);
    const hasArrived = useRef(false);
    const registry = useMemo(makeKeys, []);
    const useKeys = useMemo(() => makeUseKeys(registry), []);
    useKeyboard(registry, () => busy.current);

    const context = { dataset_name: dataset, view, filters };
    const call = useCallback((operator, params) => ask(context, operator, params), [
      dataset,
      view,
      filters,
    ]);

    function fetchAhead(id) {
      if (!id || ahead.current.has(id)) return;
      const coming = call("load", { sample_id: id });
      ahead.current = new Map([[id, coming]]);
      coming.then((found) => {
        if (found.filepath) new Image().src = fos.getSampleSrc(found.filepath);
      });
    }

    useEffect(() => {
      let isWanted = true;
      clearTimeout(unopened.current);
      busy.current = true; // the picture has changed, the question not yet
      const early = ahead.current.get(sampleId);
      const coming = early ?? call("load", { sample_id: sampleId });
      ahead.current.delete(sampleId);
      (async () => {
        let found = await coming;
        if (early && found.error) found = await call("load", { sample_id: sampleId });
        const screen = found.error ? {} : await screenOf(found.kind).catch((why) => ({ why }));
        if (!isWanted) return;
        busy.current = false;
        const isJudged = sampleId === linked && found.mine && found.mine.verdict !== "withdrawn";
        const goesOn = isJudged && found.next && !hasArrived.current;
        hasArrived.current = true;
        if (goesOn) return go(found.next);
        const why = screen.why && `there is no screen of ${found.kind}: ${screen.why}`;
        setProblem(found.error ?? why ?? null);
        if (!screen.Screen) return setTask(null);
        setScreen(() => screen.Screen);
        setTask({ ...found, visit });
        setProgress((old) => (early && old ? old : found.progress));
        setNote(found.mine?.note ?? "");
        shownAt.current = performance.now();
        fetchAhead(found.next);
      })();
      return () => {
        isWanted = false;
      };
    }, [sampleId, dataset, visit]);

    function go(id) {
      if (!id) return;
      if (id === sampleId) return setVisit((count) => count + 1);
      busy.current = true; // until its task is there: a key now is meant for the next picture
      open({ id });
      clearTimeout(unopened.current);
      unopened.current = setTimeout(() => {
        busy.current = false;
        setProblem(NOT_IN_VIEW);
      }, 5000);
    }

    async function judge(decision) {
      if (busy.current || !task) return { error: "one moment: the last one is being stored" };
      busy.current = true;
      setProblem(null);
      const seconds = Math.round((performance.now() - shownAt.current) / 100) / 10;
      const sent = { ...decision, sample_id: task.sample_id, note: note.trim() || null, seconds };
      const stored = await call("judge", sent);
      busy.current = false;
      if (stored.error) {
        setProblem(stored.error);
        return stored;
      }
      setProgress(stored.progress);
      setLast(verdictText(decision));
      if (stored.next) go(stored.next);
      else setTask({ ...task, next: null, isLast: true });
      return stored;
    }

    async function undo() {
      if (busy.current) return; // it would take back the judgement before the one being stored
      busy.current = true;
      setProblem(null);
      const undone = await call("undo", {});
      busy.current = false;
      if (undone.error) return setProblem(undone.error);
      ahead.current.clear();
      setLast(null);
      setProgress(null);
      go(undone.sample_id);
    }

    const buttons = [
      ["z", "undo", undo, true],
      [",", "previous", () => go(task.previous), task?.previous],
      [".", "next", () => go(task.next), task?.next],
    ];
    useKeys({
      ...Object.fromEntries(
        buttons.map(([key, label, run, isPossible]) => [
          key,
          { label: isHelpOpen ? label : null, run: () => isPossible && run() },
        ]),
      ),
      "/": { label: "note", run: () => noteField.current?.focus() },
      "?": { label: isHelpOpen ? "less" : "more", run: () => setHelpOpen(!isHelpOpen) },
    });

    const media = (path) => fos.getSampleSrc(`${task.images_root}/${path}`);
    const onNoteKey = (event) => event.key === "Enter" && !event.shiftKey && event.target.blur();

    return h(
      "section",
      {
        className: "bw-panel",
        "data-ready": task?.sample_id, // for tests: the sample whose keys work
        onKeyDown: (event) => isTyping(event.target) && event.stopPropagation(),
        onClick: leaveButton,
      },
      task && progress && h(Header, { task, progress }),
      problem && h("p", { className: "bw-error", role: "alert" }, problem),
      task?.isLast && h("p", { className: "bw-done" }, LAST),
      h(
        "main",
        { className: "bw-screen" },
        task &&
          !task.isLast &&
          h(
            Guard,
            { key: `${task.sample_id} ${task.visit}` },
            h(Screen, { h, React, task, judge, call, media, useKeys, error: setProblem }),
          ),
        !task && !problem && h("p", { className: "bw-muted" }, "…"),
      ),
      task &&
        h(
          "div",
          { className: "bw-row bw-frame-row" },
          h("textarea", {
            ref: noteField,
            className: "bw-input bw-note",
            rows: 1,
            placeholder: "note ( / )",
            value: note,
            onChange: (event) => setNote(event.target.value),
            onKeyDown: onNoteKey,
          }),
          buttons.map(([key, label, run, isPossible]) =>
            h(
              "button",
              { key, className: "bw-button bw-small", disabled: !isPossible, onClick: run },
              label,
              h("kbd", { className: "bw-key" }, key),
            ),
          ),
          last && h("span", { className: "bw-muted bw-last" }, `stored: ${last}`),
        ),
      h(Help, { registry, isOpen: isHelpOpen }),
    );
  }

  function Panel() {
    const sampleId = recoil.useRecoilValue(fos.nullableModalSampleId);
    const dataset = fos.useCurrentDatasetName();
    const showSidebar = recoil.useSetRecoilState(fos.sidebarVisible(true));
    const showArrows = recoil.useSetRecoilState(fos.showModalNavigationControls);
    useEffect(() => {
      showSidebar(false); // it would show what another auditor said
      showArrows(false);
    }, []);
    return sampleId ? h(Frame, { sampleId, dataset }) : null;
  }

  fop.registerComponent({
    name: NAME,
    label: "Audit",
    component: Panel,
    type: fop.PluginComponentType.Panel,
    activator: () => true,
    panelOptions: { surfaces: "modal" },
  });
})();
