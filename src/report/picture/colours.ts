/**
 * The colours of every picture as CSS variables, light and dark. Pictures name classes and variables only, so that
 * one file suits both, and a Content-Security-Policy without inline styles holds.
 */
export const PICTURE_CSS = `
:root{color-scheme:light dark;--ink:#1c2128;--muted:#59636e;--line:#d1d9e0;--paper:#fff;--band:#f6f8fa;
--bad:#c62828;--bad-soft:#fdecea;--warn:#8a5a00;--warn-soft:#fff4d6;--good:#1a7f37;
--s0:#155fd0;--s1:#a85300;--s2:#15764f;--s3:#8250df;--s4:#0e7490;--s5:#bf3989;--sx:#6e7781;
--chart-requests:#8c959f;--chart-loss:#c62828;--chart-window:#c62828}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--muted:#9aa4af;--line:#3d444d;--paper:#0d1117;--band:#161b22;
--bad:#ff7b72;--bad-soft:#3b1518;--warn:#e3b341;--warn-soft:#332a0f;--good:#57ab5a;
--s0:#6cb2ff;--s1:#f0a35e;--s2:#4cc790;--s3:#bf9bff;--s4:#56c7d9;--s5:#f08ac1;--sx:#8d96a0;
--chart-requests:#6e7781;--chart-loss:#ff7b72;--chart-window:#ff7b72}}
@media print{:root{color-scheme:light;--ink:#1c2128;--muted:#59636e;--line:#d1d9e0;--paper:#fff;--band:#f6f8fa;
--bad:#c62828;--bad-soft:#fdecea;--warn:#8a5a00;--warn-soft:#fff4d6;--good:#1a7f37;
--s0:#155fd0;--s1:#a85300;--s2:#15764f;--s3:#8250df;--s4:#0e7490;--s5:#bf3989;--sx:#6e7781;
--chart-requests:#8c959f;--chart-loss:#c62828;--chart-window:#c62828}}
.lanes{font:12px/1.3 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--ink)}
.lanes .head{font-weight:600}.lanes .note{fill:var(--muted);font-size:11px}.lanes .clock{fill:var(--muted);font-size:11px}
.lanes .ids{font:10.5px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.lanes .life{stroke:var(--line);stroke-width:1.5}.lanes .rule{stroke:var(--line);stroke-width:1}
.lanes .band-seam,.lanes .band-loss{fill:var(--bad-soft)}.lanes .band-duplicate{fill:var(--warn-soft)}
.lanes .band-fault,.lanes .band-lost{fill:var(--band)}
.lanes .call{fill:none;stroke:var(--c);stroke-width:1.6}.lanes .back{fill:none;stroke:var(--c);stroke-width:1.6;stroke-dasharray:4 3}
.lanes .tip,.lanes .dot{fill:var(--c)}.lanes .bar{fill:var(--c);opacity:.55}
.lanes .seam{fill:none;stroke:var(--bad);stroke-width:3;stroke-linejoin:round}.lanes .seam-word{fill:var(--bad);font-weight:700}
.lanes .cross{stroke:var(--bad);stroke-width:2.4;fill:none}.lanes .twin{fill:none;stroke:var(--warn);stroke-width:2}
.lanes .twin-word{fill:var(--warn);font-weight:700;paint-order:stroke;stroke:var(--paper);stroke-width:0}.lanes .count{stroke-width:4px}
.lanes .session{fill:var(--c)}.lanes .thread{fill:none;stroke:var(--c);stroke-width:2;stroke-dasharray:1 4;stroke-linecap:round}.lanes .bad{fill:var(--bad)}.lanes .ring{fill:var(--paper);stroke:var(--c);stroke-width:2}
.c0{--c:var(--s0)}.c1{--c:var(--s1)}.c2{--c:var(--s2)}.c3{--c:var(--s3)}.c4{--c:var(--s4)}.c5{--c:var(--s5)}.cx{--c:var(--sx)}.cbad{--c:var(--bad)}
`;
