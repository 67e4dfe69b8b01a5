// The look of all audit screens, in the colours of the App's theme.
export const css = `
.bw-panel {
  --bw-text: var(--fo-palette-text-primary, #fff);
  --bw-soft: var(--fo-palette-text-secondary, #b3b3b3);
  --bw-line: color-mix(in srgb, var(--bw-text) 18%, transparent);
  --bw-card: color-mix(in srgb, var(--bw-text) 5%, transparent);
  --bw-raised: color-mix(in srgb, var(--bw-text) 11%, transparent);
  --bw-accent: #ff8a3d;
  --bw-yes: #4cc38a;
  --bw-no: #f2777a;
  --bw-unsure: #d9b44a;
  box-sizing: border-box;
  display: flex;
  flex-direction: column;
  gap: 10px;
  height: 100%;
  padding: 12px 16px 8px;
  overflow: hidden;
  color: var(--bw-text);
  font: 14px/1.45 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
.bw-panel *, .bw-panel *::before { box-sizing: border-box; }
.bw-panel p, .bw-panel h1, .bw-panel h2, .bw-panel h3 { margin: 0; }
.bw-panel h1 { font-size: 24px; line-height: 1.25; font-weight: 600; }
.bw-panel h2 { font-size: 16px; font-weight: 600; }
.bw-panel h3 {
  font-size: 11px; font-weight: 600; letter-spacing: 0.06em; text-transform: uppercase;
  color: var(--bw-soft);
}
.bw-header { display: flex; align-items: center; gap: 12px; font-size: 13px; white-space: nowrap; }
.bw-progress {
  flex: 1; min-width: 40px; height: 6px; appearance: none; border: 0; border-radius: 3px;
  background: var(--bw-raised); overflow: hidden;
}
.bw-progress::-webkit-progress-bar { background: var(--bw-raised); }
.bw-progress::-webkit-progress-value { background: var(--bw-accent); }
.bw-progress::-moz-progress-bar { background: var(--bw-accent); }
.bw-badge {
  padding: 1px 7px; border-radius: 9px; font-size: 11px; font-weight: 600;
  background: var(--bw-raised); color: var(--bw-soft);
}
.bw-screen {
  flex: 1; min-height: 0; overflow: auto;
  display: flex; flex-direction: column; gap: 14px;
}
.bw-row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.bw-column { display: flex; flex-direction: column; gap: 8px; }
.bw-grow { flex: 1; min-width: 0; }
.bw-card {
  padding: 10px 12px; border: 1px solid var(--bw-line); border-radius: 6px;
  background: var(--bw-card);
}
.bw-muted { color: var(--bw-soft); }
.bw-ok { color: var(--bw-yes); }
.bw-bad { color: var(--bw-no); }
.bw-warn { color: var(--bw-unsure); }
.bw-mark { color: var(--bw-accent); }
.bw-small { font-size: 12px; }
.bw-error {
  padding: 7px 10px; border-left: 3px solid var(--bw-no); border-radius: 3px;
  background: var(--bw-card); color: var(--bw-no); overflow-wrap: anywhere;
}
.bw-done {
  padding: 7px 10px; border-left: 3px solid var(--bw-yes); border-radius: 3px;
  background: var(--bw-card);
}
.bw-button {
  display: inline-flex; align-items: center; gap: 8px; min-height: 32px; padding: 4px 12px;
  border: 1px solid var(--bw-line); border-radius: 5px; background: var(--bw-raised);
  color: var(--bw-text); font: inherit; text-align: left; cursor: pointer;
}
.bw-button:hover:not(:disabled) { border-color: var(--bw-soft); }
.bw-button:focus-visible, .bw-input:focus-visible {
  outline: 2px solid var(--bw-accent); outline-offset: 1px;
}
.bw-button:disabled { opacity: 0.4; cursor: default; }
.bw-button.bw-small { min-height: 28px; padding: 2px 9px; }
.bw-big { min-height: 48px; padding: 8px 20px; font-size: 17px; font-weight: 600; }
.bw-yes { border-color: color-mix(in srgb, var(--bw-yes) 55%, transparent); }
.bw-no { border-color: color-mix(in srgb, var(--bw-no) 55%, transparent); }
.bw-unsure { border-color: color-mix(in srgb, var(--bw-unsure) 55%, transparent); }
.bw-chosen { box-shadow: inset 0 0 0 2px var(--bw-accent); border-color: transparent; }
.bw-key {
  display: inline-block; min-width: 20px; padding: 0 5px; border-radius: 4px; text-align: center;
  border: 1px solid var(--bw-line); border-bottom-width: 2px; background: var(--bw-card);
  color: var(--bw-soft); font: 600 12px/18px ui-monospace, Menlo, Consolas, monospace;
}
.bw-input {
  width: 100%; padding: 5px 9px; border: 1px solid var(--bw-line); border-radius: 5px;
  background: var(--bw-card); color: var(--bw-text); font: inherit; resize: vertical;
}
.bw-input::placeholder { color: var(--bw-soft); }
.bw-frame-row { flex-wrap: nowrap; }
.bw-note { flex: 1; min-width: 80px; height: 30px; resize: none; }
.bw-note:focus { height: 64px; }
.bw-last { font-size: 12px; white-space: nowrap; }
.bw-help {
  display: flex; flex-wrap: wrap; gap: 4px 14px; padding-top: 8px; min-height: 31px;
  border-top: 1px solid var(--bw-line); font-size: 12px; color: var(--bw-soft);
}
.bw-help span { display: inline-flex; align-items: center; gap: 5px; white-space: nowrap; }
.bw-table { align-self: flex-start; border-collapse: collapse; font-size: 13px; }
.bw-table th, .bw-table td {
  padding: 2px 16px 2px 0; text-align: left; vertical-align: top; font-weight: 400;
}
.bw-table th { color: var(--bw-soft); }
.bw-picture { display: block; max-width: 100%; border-radius: 5px; background: #000; }
.bw-value { color: var(--bw-accent); }
[data-for-panel="json"] { display: none !important; }
`;
