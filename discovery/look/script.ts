/**
 * What pages do where a browser runs scripts: an answer appears below its question, a form goes once, a wait counts down,
 * and a browser's agent may ask. Everything works without: the server draws the same pages.
 */
export const SCRIPT = `
const ask=document.getElementById('ask'),answer=document.getElementById('answer');
const pageOf=async(url,init)=>new DOMParser().parseFromString(await (await fetch(url,{headers:{accept:'text/html'},...init})).text(),'text/html');
ask?.addEventListener('submit',async event=>{
  event.preventDefault();
  const button=ask.querySelector('button'),url=ask.action+'?'+new URLSearchParams(new FormData(ask));
  button.disabled=true;
  answer.setAttribute('aria-busy','true');
  try{
    answer.replaceChildren(...(await pageOf(url)).getElementById('answer').childNodes);
    if(location.pathname==='/ask')history.replaceState(null,'',url);
    count();
  }catch{answer.textContent=ask.dataset.offline}
  answer.removeAttribute('aria-busy');
  button.disabled=false;
});
for(const form of document.querySelectorAll('form[method=post]'))form.addEventListener('submit',()=>{
  const button=form.querySelector('button');
  setTimeout(()=>{button.disabled=true;button.dataset.text=button.textContent;button.textContent=form.dataset.sending});
});
addEventListener('pageshow',event=>{
  if(event.persisted)for(const button of document.querySelectorAll('button[data-text]')){button.disabled=false;button.textContent=button.dataset.text}
});
const count=()=>{
  for(const wait of document.querySelectorAll('[data-wait]:not([data-until])')){
    wait.dataset.until=Date.now()+wait.dataset.wait*1000;
    const timer=setInterval(()=>{
      const minutes=Math.ceil((wait.dataset.until-Date.now())/60000);
      if(minutes<120)wait.textContent=minutes<=0?wait.dataset.now:wait.dataset.many.replace('{}',minutes);
      if(minutes===1)wait.textContent=wait.dataset.one;
      if(minutes<=0)clearInterval(timer);
    },5000);
  }
};
count();
const model=document.modelContext??navigator.modelContext;
if(ask&&model?.registerTool){
  ask.removeAttribute('toolname');
  const input=ask.elements.q;
  model.registerTool({
    name:'ask_brand',
    description:ask.getAttribute('tooldescription'),
    inputSchema:{type:'object',properties:{query:{type:'string',description:input.getAttribute('toolparamdescription')}},required:['query']},
    annotations:{readOnlyHint:true},
    execute:async({query})=>({content:[{type:'text',text:await (await fetch('/ask?'+new URLSearchParams({q:query}))).text()}]})
  });
}
`;
