try{for(const n of["theme","size","width"]){const t=localStorage.getItem(n);if(/^(light|dark|larger?|narrow|wide)$/.test(t))document.documentElement.dataset[n]=t}}catch{}
