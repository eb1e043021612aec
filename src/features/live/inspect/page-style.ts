/** The style sheet of the inspector page: light or dark by the system setting, two columns on wide screens. */
export const style = `:root{color-scheme:light dark;--ink:#1b2330;--dim:#5b6675;--paper:#fff;--panel:#f4f6f9;--line:#d9dfe7;--mark:#2457a6;--chosen:#e3ecf9;--warm:#9a4312;--good:#1d6b3c;--bad:#a4262c}
@media (prefers-color-scheme:dark){:root{--ink:#e8edf4;--dim:#9aa7b8;--paper:#12161c;--panel:#1b212a;--line:#323c4a;--mark:#7fb0ff;--chosen:#22324a;--warm:#f0a878;--good:#7fd6a2;--bad:#ff9a9a}}
*{box-sizing:border-box}
html,body{height:100%}
body{margin:0;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
header,#filter,footer{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.75rem 1rem 0}
h1{font-size:1.2rem;margin:0}
h2{font-size:1.1rem;margin:0;overflow-wrap:anywhere}
h3{font-size:.8rem;font-weight:600;color:var(--dim);margin:1.25rem 0 .4rem}
#state{margin:0;color:var(--dim)}
#state::before{content:"";display:inline-block;width:.55rem;height:.55rem;border-radius:50%;background:var(--dim);margin-right:.45rem}
#state.live::before{background:var(--good)}
#state.lost::before{background:var(--bad)}
label{display:flex;flex-direction:column;gap:.15rem;min-width:0}
label span{font-size:.8rem;color:var(--dim)}
.grow{flex:1 1 14rem}
input,select,textarea,button{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.4rem;padding:.4rem .6rem;width:100%;min-height:2.4rem}
textarea{font:13px/1.5 ui-monospace,monospace;resize:vertical}
button{cursor:pointer;width:auto}
button[type=submit]{background:var(--mark);border-color:var(--mark);color:var(--paper);font-weight:600;padding-inline:1.2rem}
:focus-visible{outline:2px solid var(--mark);outline-offset:1px}
main{flex:1;min-height:0;display:grid;grid-template-columns:minmax(20rem,2fr) 3fr;gap:1rem;padding:.75rem 1rem}
main:has(#detail[hidden]){grid-template-columns:1fr}
#stream,#detail{min-width:0;min-height:0;overflow:auto;border:1px solid var(--line);border-radius:.6rem}
#detail{padding:1rem;background:var(--panel);outline:0}
#empty{padding:2rem 1rem;text-align:center;color:var(--dim);margin:0}
#list{list-style:none;margin:0;padding:0}
#list li+li{border-top:1px solid var(--line)}
#list button{display:grid;grid-template-columns:4.6rem minmax(0,1fr) auto;gap:.1rem .75rem;width:100%;text-align:left;background:none;border:0;border-radius:0;padding:.5rem .8rem;align-items:baseline}
#list button:hover,#list button[aria-current=true]{background:var(--chosen)}
#list button:focus-visible{outline-offset:-2px}
time{color:var(--dim);font-variant-numeric:tabular-nums}
.event{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.description{grid-column:2/-1;overflow:hidden;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3}
.mark{font-size:.75rem;font-weight:600;color:var(--warm);border:1px solid currentColor;border-radius:1rem;padding:0 .5rem;margin-left:.4rem;white-space:nowrap}
.title{display:flex;flex-wrap:wrap;align-items:baseline;gap:.3rem}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem 1rem;margin:.6rem 0 0}
dt{color:var(--dim)}
dd{margin:0;overflow-wrap:anywhere}
#tree{font:13px/1.6 ui-monospace,monospace;background:var(--paper);border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem;overflow-wrap:anywhere}
#tree details>div,#tree details>details{margin-left:1.1rem}
#tree summary{cursor:pointer}
.key{color:var(--mark)}
.size{color:var(--dim)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{color:var(--dim);font-weight:500}
th,td{text-align:left;padding:.3rem .6rem .3rem 0;border-top:1px solid var(--line);vertical-align:top}
td:first-child{overflow-wrap:anywhere}
td:last-child{white-space:nowrap}
thead th{border-top:0}
#none{margin:0;color:var(--dim)}
#replay{display:grid;gap:.6rem;justify-items:start}
#replay>label,#edit{width:100%}
#edit summary{cursor:pointer;color:var(--mark);margin-bottom:.4rem}
#outcome.good{color:var(--good)}
#outcome.bad{color:var(--bad)}
#back{display:none;margin-bottom:.75rem}
footer{padding:0 1rem .6rem;color:var(--dim);font-size:.8rem;gap:.35rem}
kbd{font:inherit;border:1px solid var(--line);border-radius:.25rem;padding:0 .35rem}
[hidden]{display:none!important}
@media (max-width:760px){main,main:has(#detail[hidden]){grid-template-columns:1fr}#back{display:block}body:has(#detail:not([hidden])) #stream,body:has(#detail:not([hidden])) #filter{display:none}footer{display:none}#list button{grid-template-columns:4.6rem minmax(0,1fr)}.description{grid-column:2}}`;
