/** The look of a page: light, dark and on paper. Compact, since it is part of every page. */
export const style = `:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1a1d23;--soft:#5b6472;--line:#e2e5ea;--good:#1a7f4b;--new:#2563c9;--bad:#c0312b;--warn:#9a6700;--mute:#98a1ae;--code:#f0f2f5}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--card:#1d2026;--ink:#e8eaee;--soft:#a0a8b5;--line:#333842;--good:#4cc38a;--new:#6ea8fe;--bad:#ff7b72;--warn:#e3b341;--mute:#6b7482;--code:#272b33}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 3rem}h1{font-size:1.7rem;line-height:1.25;margin:0 0 .4rem}h2{font-size:1.1rem;margin:0 0 .8rem}
header p{margin:0;color:var(--soft)}.state{display:inline-block;border-radius:99px;padding:.1rem .8rem;font-size:.85rem;font-weight:600;border:1.5px solid;margin-bottom:.6rem}
.good{color:var(--good)}.new{color:var(--new)}.bad{color:var(--bad)}.warn{color:var(--warn)}.mute{color:var(--soft)}
section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;margin-top:1.1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.2rem;margin:0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.tiles{display:flex;flex-wrap:wrap;gap:.6rem 2.2rem;margin:0 0 1rem;padding:0;list-style:none}.tiles b{display:block;font-size:1.75rem;line-height:1.15;font-variant-numeric:tabular-nums}.tiles span{color:var(--soft);font-size:.9rem}
svg{display:block;width:100%;height:auto}svg text{fill:var(--soft);font-size:12px}.bar{border-radius:.4rem}
table{width:100%;border-collapse:collapse;font-size:.94rem}th{text-align:left;color:var(--soft);font-weight:600;font-size:.85rem}th,td{padding:.45rem .8rem .45rem 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}thead th{border-top:0}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td small,li small{display:block;color:var(--soft)}
pre,code{font:.88rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace;background:var(--code);border-radius:.4rem}code{padding:.1rem .35rem}pre{margin:.35rem 0 0;padding:.6rem .8rem;white-space:pre-wrap;overflow-wrap:anywhere}
ol,ul{margin:0;padding-left:1.3rem}ol>li+li{margin-top:.8rem}.note{color:var(--soft);font-size:.9rem;margin:.8rem 0 0}footer{color:var(--soft);font-size:.85rem;margin-top:1.4rem}
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--good:#11663a;--new:#1d4fa3;--bad:#a3211b;--warn:#7a5200;--mute:#98a1ae;--code:#f0f2f5}body{font-size:10.5pt}main{max-width:none;padding:0}section{break-inside:auto;border-radius:0;border-width:1px 0 0;padding:.8rem 0}tr,li,svg,.tiles{break-inside:avoid}h2{break-after:avoid}svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}`
