/** The page's style sheet: one column that suits a phone, dark and light by the reader's own setting, and paper. */
export const PAGE_CSS = `
*{box-sizing:border-box}
html{scroll-padding-top:4rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
main,footer{max-width:1040px;margin:0 auto;padding:0 20px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--paper);color:var(--ink);padding:8px 12px;z-index:9;border:2px solid var(--s0);border-radius:6px}
.top{position:sticky;top:0;z-index:5;background:var(--paper);border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:2px 22px;align-items:center;padding:8px max(20px,calc((100vw - 1000px)/2))}
.brand{font-weight:700;margin:0}.top ul{display:flex;flex-wrap:wrap;gap:2px 16px;list-style:none;margin:0;padding:0}.top a{color:var(--muted);text-decoration:none}.top a:hover{color:var(--ink);text-decoration:underline}
a{color:var(--s0)}:focus-visible{outline:2px solid var(--s0);outline-offset:2px;border-radius:3px}
h1{font-size:1.65rem;line-height:1.25;margin:.1em 0 .4em;text-wrap:balance}h2{font-size:1.3rem;line-height:1.3;margin:2.4rem 0 .8rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{font-size:1.02rem;margin:0}h4{font-size:1rem;margin:1.2rem 0 .4rem}h5,h6{font-size:.95rem;margin:1rem 0 .3rem}p{margin:.5rem 0}
.box h2{font-size:1.02rem;margin:0 0 .3rem;padding:0;border:0}
code,pre,time{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
code{background:var(--band);border-radius:4px;padding:.1em .3em}pre{background:var(--band);border-radius:6px;padding:10px 12px;overflow-x:auto}pre code{padding:0;background:none;white-space:pre-wrap}
.hash{font-size:.78em}.muted,.facts,time{color:var(--muted)}.facts{font-size:.9rem}.lead{font-size:1.04rem;max-width:78ch}
.count{color:var(--muted);font-weight:400;font-size:.8em}
.verdict{margin-top:22px;padding:18px 22px;border-radius:10px;border:1px solid var(--line);border-left:8px solid var(--v,var(--sx));background:var(--band)}
.level{margin:0;color:var(--v);font-weight:700;text-transform:uppercase;letter-spacing:.06em;font-size:.86rem}
.level-critical,.level-high{--v:var(--bad)}.level-medium,.level-unjudged{--v:var(--warn)}.level-low{--v:var(--s0)}.level-info{--v:var(--muted)}.level-clean{--v:var(--good)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:16px 0}
.tile{border:1px solid var(--line);border-radius:10px;padding:10px 14px;display:flex;flex-direction:column}
.tile dt{order:1;font-weight:600;line-height:1.3}.tile dd{margin:0}.tile .value{order:0;font-size:1.75rem;line-height:1.2;font-weight:700}.tile .note{order:2;color:var(--muted);font-size:.84rem;line-height:1.35;margin-top:2px}.tile.bad .value{color:var(--bad)}
.box{border:1px solid var(--line);border-radius:10px;padding:14px 20px;margin:14px 0}.act{border-left:5px solid var(--s0)}.gap{border-left:5px solid var(--warn)}.box ol,.box ul{margin:.3rem 0;padding-left:1.3rem}.box li{margin:.25rem 0}
summary{cursor:pointer}summary h3{display:inline}details>summary::marker{color:var(--muted)}
.incident{border:1px solid var(--line);border-left:6px solid var(--c);border-radius:10px;padding:14px 18px;margin:14px 0}
.incident>summary .facts{display:block;margin-top:2px}
.sev{display:inline-block;color:var(--c);font-weight:700;font-size:.76rem;text-transform:uppercase;letter-spacing:.04em;border:1px solid currentColor;border-radius:5px;padding:0 .4em}
.sev-critical,.sev-high{--c:var(--bad)}.sev-medium{--c:var(--warn)}.sev-low{--c:var(--s0)}.sev-info{--c:var(--muted)}
.sev-critical>.sev,.sev-critical>summary>.sev{background:var(--bad);color:var(--paper);border-color:var(--bad)}
.state{font-size:.8rem;border:1px dashed var(--muted);color:var(--muted);border-radius:5px;padding:0 .4em}
.picture{margin:16px 0;overflow-x:auto}.picture figcaption{color:var(--muted);font-size:.9rem;margin-bottom:6px}.picture svg{display:block;max-width:100%;height:auto}
.chart{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
.on-narrow{display:none}
.words,.about,.chunk{margin:10px 0}.timeline{padding-left:2.2rem}.timeline li{margin:.25rem 0}
.role{font-weight:600}.role-seam,.role-loss,.role-fault{color:var(--bad)}.role-duplicate{color:var(--warn)}
.check{list-style:none;padding:0}.check li{margin:.5rem 0}.check label{display:flex;gap:10px}.check input{flex:none;margin-top:.32em;width:1.1em;height:1.1em}
.filter{display:flex;flex-wrap:wrap;gap:4px 18px;border:1px solid var(--line);border-radius:10px;margin:0 0 14px;padding:6px 14px 10px}.filter legend{color:var(--muted);padding:0 6px}
${hideRules()}
.group{border:1px solid var(--line);border-left:6px solid var(--c);border-radius:10px;padding:12px 16px;margin:10px 0}
.badge{white-space:nowrap;color:var(--muted);font-size:.9rem;margin-left:6px}
.f{border-top:1px solid var(--line);padding:8px 0 8px 4px}.f>summary{padding-left:2px}.l{border-top:1px solid var(--line);margin:0;padding:6px 4px;font-size:.92rem}.l b,.ev b{font-weight:600}
.f:target,.l:target{background:var(--warn-soft)}
.ev{margin:.3rem 0;padding-left:1.6rem}.ev li{margin:.3rem 0;font-size:.93rem}
.fl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:.5rem 0 .3rem 1.6rem;font-size:.9rem}.fl dt{color:var(--muted)}.fl dd{margin:0}
.about{background:var(--band);border-radius:8px;padding:8px 14px}.md h4,.md h5{margin-top:.8rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:6px 10px 6px 0;border-bottom:1px solid var(--line)}th{color:var(--muted);font-weight:600}.n{text-align:right}
.status-error,.bad{color:var(--bad)}.status-not-applicable>strong,.status-partial>strong,td.status-not-applicable,td.status-partial,.warn{color:var(--warn)}.status-error code{color:var(--ink)}
.gaps{padding-left:1.2rem}.gaps li{margin:.6rem 0}
.source{border-top:1px solid var(--line);padding:12px 0}.source p{margin:.2rem 0}
footer{margin-top:40px;padding-bottom:40px;color:var(--muted);font-size:.88rem;border-top:1px solid var(--line)}
@media (max-width:760px){body{font-size:16px}main,footer{padding:0 14px}.on-wide{display:none}.on-narrow{display:block}h1{font-size:1.35rem}.verdict{padding:14px 16px}.incident,.group{padding:12px}.tiles{grid-template-columns:1fr 1fr;gap:8px}.top{position:static;padding:8px 14px}.fl{grid-template-columns:1fr;margin-left:.4rem}.fl dd{margin-bottom:4px}.box{padding:12px 16px}}
@media print{.top,.skip,.filter{display:none}body{font-size:10.5pt}main,footer{max-width:none}.incident,.box,.tile,.picture,.source{break-inside:avoid-page}.incident::details-content,.words::details-content{content-visibility:visible;display:block}.on-wide{display:block}.on-narrow{display:none}a{color:inherit;text-decoration:none}}
@media (forced-colors:active){.lanes .bar,.tile,.verdict{forced-color-adjust:auto}}
`;

function hideRules(): string {
  return ['critical', 'high', 'medium', 'low', 'info']
    .map((severity) => `#findings:has(#show-${severity}:not(:checked)) :is(.f,.l).sev-${severity}{display:none}`)
    .join('\n');
}
