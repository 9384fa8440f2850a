/** Copying, trying and searching, where a browser runs scripts: the page says the same without. */
export const REFERENCE_SCRIPT = `
const search=document.getElementById('search'),found=document.getElementById('found'),words=found.dataset;
for(const block of document.querySelectorAll('pre:not([hidden])')){
  const button=Object.assign(document.createElement('button'),{type:'button',className:'copy',textContent:words.copy});
  button.addEventListener('click',async()=>{
    await navigator.clipboard.writeText(block.textContent);
    button.textContent=words.copied;
    setTimeout(()=>{button.textContent=words.copy},2000);
  });
  block.after(button);
}
for(const form of document.querySelectorAll('.try'))form.addEventListener('submit',async event=>{
  event.preventDefault();
  const shown=form.querySelector('pre'),query=new URLSearchParams(new FormData(form)).toString();
  shown.hidden=false;
  try{
    const response=await fetch(form.action+(query&&'?'+query),{headers:{accept:'application/json'}});
    const headers=[...response.headers].map(([name,value])=>name+': '+value).join('\\n');
    shown.textContent='HTTP '+response.status+'\\n'+headers+'\\n\\n'+JSON.stringify(await response.json(),null,2);
  }catch(error){shown.textContent=words.failed+': '+error.message}
});
search.closest('form').hidden=false;
search.closest('form').addEventListener('submit',event=>event.preventDefault());
search.addEventListener('input',()=>{
  const sought=search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const matches=node=>{const text=node.textContent.toLowerCase();return sought.every(word=>text.includes(word))};
  for(const row of document.querySelectorAll('tbody tr,.call'))row.hidden=!matches(row);
  let count=0;
  for(const section of document.querySelectorAll('section')){section.hidden=!matches(section);count+=section.hidden?0:1}
  found.textContent=sought.length===0?'':count+' '+(count===1?words.one:words.many);
});
`;
