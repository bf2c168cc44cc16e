/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page: the state, and what is made of it. A change of the state makes new sums if other
 * points are chosen, new trees if others are shown, and a new picture.
 */

/* What must be made again after a change of a member of the state. */
const SUMS = ['event', 'width', 'from', 'to'];
const TREES = ['view', 'shape', 'group', 'focus'];

class Page {
	constructor(data) {
		this.data = data;
		this.control = document.getElementById('controls').elements;
		this.saved = this.state = { ...DEFAULTS };
		this.table = new Table(data, (sort) => this.set({ sort }),
				       (focus) => this.set({ view: 'sandwich', focus, zoom: '' }));
		this.picture = new Picture(data, (label) => this.labelName(label),
					   (box, isChosen) => this.showBox(box, isChosen),
					   () => this.keepZoom());
		this.time = new Time(data, (from, to) => this.set({ from, to }));
		this.range = document.getElementById('range').elements;
		this.fillControls();
		this.listen();
	}

	labelName(label) {
		const { names } = this.data;

		return label < names.length ? names[label] : this.groupNames[label - names.length];
	}

	fillControls() {
		if (!hasCgroups(this.data))
			this.control.group.querySelector('[value="cgroup"]').remove();
		if (this.data.isDiff)
			this.control.palette.options[0].text = 'red and blue';
		this.data.events.forEach((event, i) => {
			this.control.event.add(new Option(event.name, i));
		});
		document.getElementById('input').textContent = this.data.input;
		document.documentElement.classList.toggle('diff', this.data.isDiff);
		document.title = this.data.input + ' - tprof-lx';
	}

	listen() {
		const dark = matchMedia('(prefers-color-scheme: dark)');

		for (const key of ['event', 'width', 'view', 'shape', 'group', 'palette', 'theme'])
			this.control[key].addEventListener('change', () => this.readControl(key));
		this.control.search.addEventListener('input', () =>
			this.set({ search: this.control.search.value }));
		document.getElementById('controls').addEventListener('submit', (event) =>
			event.preventDefault());
		this.listenToRange();
		dark.addEventListener('change', () => this.set({}, true));
		addEventListener('popstate', () => this.load());
		listenToKeys(this);
	}

	listenToRange() {
		const { range } = this;

		for (const key of ['lanes', 'scale'])
			range[key].addEventListener('change', () => this.set({ [key]: range[key].value }));
		for (const key of ['from', 'to'])
			range[key].addEventListener('change', () => this.readRange());
		range.whole.addEventListener('click', () => this.set({ from: DEFAULTS.from,
								       to: DEFAULTS.to }));
		document.getElementById('range').addEventListener('submit', (event) =>
			event.preventDefault());
	}

	/* Take the ends in seconds. The last step ends at the second end. */
	readRange() {
		const steps = (text) => Math.round(Number(text) * 1e9 / this.data.step);
		const { from, to } = this.range;

		const last = Math.max(steps(to.value) - 1, 0);

		this.set({ from: Math.max(steps(from.value), 0),
			   to: to.value && last < this.data.lastStep ? last : DEFAULTS.to });
	}

	readControl(key) {
		const value = this.control[key].value;

		if (key === 'view' && value === 'sandwich' && this.state.focus < 0)
			this.set({ view: value, zoom: '', focus: this.hottest() });
		else if (key === 'event')
			this.set({ event: Number(value), zoom: '' });
		else if (key === 'view' || key === 'group' || key === 'width')
			this.set({ [key]: value, zoom: '' });
		else
			this.set({ [key]: value });
	}

	/* The function with the most samples of its own, or -1. */
	hottest() {
		const { self } = this.functions;

		return self.reduce((best, value, i) => value > (self[best] || 0) ? i : best, -1);
	}

	/* Take the state from the URL. */
	load() {
		this.saved = checkState(readHash(location.hash), this.data);
		this.apply(this.saved, true);
	}

	/* Change members of the state. With @all, make everything again. */
	set(changes, all = false) {
		this.apply({ ...this.state, ...changes }, all);
		saveState(this.state, this.saved);
		this.saved = this.state;
	}

	apply(state, all) {
		const before = this.state;
		const isChanged = (key) => all || state[key] !== before[key];

		this.state = state;
		if (state.view === 'sandwich' && state.focus < 0)
			state.view = 'callees';
		this.applyTheme();
		if (SUMS.some(isChanged))
			this.makeSums();
		if (isChanged('search'))
			this.makeMatches();
		if (SUMS.concat(TREES).some(isChanged))
			this.makeTrees();
		if (SUMS.concat(TREES, 'zoom').some(isChanged))
			readZoom(this.picture.parts, state.zoom);
		if (SUMS.concat('search', 'sort', 'focus').some(isChanged))
			this.table.show(this.functions, this.matches, state.sort, this.total, state.focus);
		this.showControls();
		this.showTexts();
		this.time.show(state);
		this.picture.draw();
	}

	applyTheme() {
		const dark = this.state.theme === 'dark' ||
			     (!this.state.theme && matchMedia('(prefers-color-scheme: dark)').matches);

		document.documentElement.classList.toggle('dark', dark);
		this.picture.colours = makeColours(this.state.palette);
		this.picture.changeColours = makeChangeColours(this.state.palette);
		if (this.data.isDiff)
			showLegend(document.getElementById('legend'), this.picture.changeColours,
				   [GREW, SHRANK, NOISE], CHANGE_NAMES);
		else
			showLegend(document.getElementById('legend'), this.picture.colours, this.kinds(),
				   KIND_NAMES);
	}

	/* The kinds that the legend shows. */
	kinds() {
		if (!this.allKinds)
			this.allKinds = [...new Set(this.data.base.kind.subarray(1))].sort();
		return this.state.group ? this.allKinds.concat(KIND.GROUP) : this.allKinds;
	}

	makeSums() {
		const { base } = this.data;

		this.data.shown = this.state.width === 'old' ? OLD : NEW;
		this.chosen = choosePoints(this.data, this.state);
		sumBase(this.data, this.chosen);
		this.total = { weight: base.weight[0], samples: base.samples[0] };
		this.functions = sumFunctions(this.data);
		if (this.data.isDiff) {
			this.total = sumsAt(this.data, base, 0);
			this.functions.change = changeFunctions(this.functions, this.total);
		}
		this.picture.total = this.total;
		this.makeMatches();
	}

	makeMatches() {
		const regexp = compileSearch(this.state.search);

		this.control.search.setAttribute('aria-invalid', regexp === undefined);
		this.matches = regexp ? matchNames(this.data, regexp) : null;
		this.found = regexp ? sumMatches(this.data.base, this.matches) : null;
		this.picture.matches = this.matches;
	}

	makeTrees() {
		const { state, data } = this;

		this.groupNames = [];
		this.picture.setTrees(this.treesOf(state, data), state.shape === 'flame');
	}

	treesOf(state, data) {
		if (state.view === 'sandwich')
			return [callersOf(data, state.focus), calleesOf(data, state.focus)];
		if (state.view === 'callers')
			return [invertedTree(data)];
		if (!state.group)
			return [data.base];
		const groups = groupPoints(data, this.chosen, state.group);

		this.groupNames = groups.names;
		return [groupTree(data, this.chosen, groups)];
	}

	keepZoom() {
		const zoom = zoomText(this.picture.parts);

		if (zoom !== this.state.zoom) {
			this.state = { ...this.state, zoom };
			saveState(this.state, this.saved);
			this.saved = this.state;
		}
		this.showCrumbs();
	}

	showControls() {
		for (const key of ['event', 'width', 'view', 'shape', 'group', 'palette', 'theme', 'search']) {
			if (this.control[key].value !== String(this.state[key]))
				this.control[key].value = this.state[key];
		}
		this.range.lanes.value = this.state.lanes;
		this.range.scale.value = this.state.scale;
		this.range.lanes.disabled = this.state.scale === 'heat';
		this.showRange();
		this.control.group.disabled = this.state.view !== 'callees';
		this.control.shape.disabled = this.state.view === 'sandwich';
	}

	showRange() {
		const { data, range } = this;
		const from = Math.min(this.state.from, data.lastStep);
		const end = Math.min(this.state.to, data.lastStep) + 1;

		range.from.value = secondsOf(data, from).toFixed(6);
		range.to.value = secondsOf(data, end).toFixed(6);
		document.getElementById('times').textContent =
			data.isDiff ? '' : `--time ${timeText(data, from)},${timeText(data, end)}`;
	}

	showTexts() {
		const { state, data, total, found } = this;
		const event = data.events[state.event];
		const parts = [count(total.samples) + ' samples, ' + weightText(total.weight, event)];
		const nrLost = data.runs.reduce((sum, run) => sum + run.nrLost, 0);

		if (data.isDiff)
			parts[0] = `Old: ${count(total.oldSamples)} samples, ` +
				   `${weightText(total.oldWeight, event)}; new: ${parts[0]}`;
		if (nrLost)
			parts.push(count(nrLost) + ' samples were lost' +
				   (data.column.lossTime.length ? '; the times of losses are hatched' : ''));
		if (data.isCoarse)
			parts.push('samples are added up over ' + duration(data.step));
		document.getElementById('summary').textContent = parts.join('; ');
		this.say(!state.search ? '' : !found ? 'This is no regular expression.' :
			 `${this.foundShare()} of ${event.isTime ? 'time' : 'events'}, ` +
			 `${count(found.samples)} samples, have one of ` +
			 `${count(found.names)} functions that match`);
		document.getElementById('detail').textContent = '';
		this.showCrumbs();
	}

	/* The share of the stacks with a match: in a diff, in the recording that is shown. */
	foundShare() {
		const { data, found } = this;
		const share = (weight, all) => percent(all ? weight / all : 0);

		if (!data.isDiff)
			return share(found.weight, this.total.weight);
		const { weight, otherWeight } = data.base;
		const names = data.shown === NEW ? ['new', 'old'] : ['old', 'new'];

		return `${share(found.weight, weight[0])} (${names[0]}; ${names[1]}: ` +
		       `${share(found.otherWeight, otherWeight[0])})`;
	}

	say(text) {
		const status = document.getElementById('status');

		if (status.textContent !== text)
			status.textContent = text;
	}

	/* The way from the root to the zoomed box, as buttons. */
	showCrumbs() {
		const crumbs = document.getElementById('crumbs');
		const part = this.picture.zoomed();
		const { tree } = part;
		const path = [];

		for (let node = part.zoom; node; node = tree.parent[node])
			path.push(node);
		path.push(0);
		const hasFocus = crumbs.contains(document.activeElement);

		crumbs.replaceChildren(...path.reverse().map((node) => {
			const button = document.createElement('button');

			button.type = 'button';
			button.textContent = this.picture.nameOf(tree, node);
			button.title = button.textContent;
			if (node === part.zoom)
				button.setAttribute('aria-current', 'true');
			button.addEventListener('click', () => this.picture.zoomTo(part, node));
			return button;
		}));
		if (hasFocus)
			crumbs.lastElementChild.focus();
	}

	/* Describe a box. Only what the keyboard or a click chose is announced. */
	showBox(box, isChosen) {
		const text = box ? this.boxText(box) : '';

		document.getElementById('detail').textContent = text;
		if (!isChosen)
			return;
		this.picture.canvas.setAttribute('aria-label', text);
		this.say(text);
	}

	boxText({ part, node }) {
		const { tree } = part;
		const { data, total, state } = this;
		const share = total.weight ? tree.weight[node] / total.weight : 0;
		const label = tree.label[node];
		const isFunction = label < data.names.length && (node || this.picture.parts.length > 1);
		const [, binary, path, line] = isFunction ? data.functions[label] : [];
		const place = !isFunction ? '' : ` in ${binary}` +
			      (path ? `, ${path}${line ? ':' + line : ''}` : '');

		if (data.isDiff) {
			const change = changeOfNode(data, tree, node, total);
			const { samples, oldSamples } = sumsAt(data, tree, node);

			return `${this.picture.nameOf(tree, node)}${place}: ${percent(change.old)} before, ` +
			       `${percent(change.now)} now, ${changeText(change, total)}; ` +
			       `${count(oldSamples)} and ${count(samples)} samples`;
		}
		return `${this.picture.nameOf(tree, node)}${place}: ${percent(share)} ` +
		       `(${intervalText(share, total.samples)}), ${count(tree.samples[node])} samples, ` +
		       weightText(tree.weight[node], data.events[state.event]);
	}

	/* The function that the focus is on, in the table or in the picture, or -1. */
	chosenFunction() {
		const { chosen, parts } = this.picture;

		if (document.activeElement === this.table.grid && this.table.list.length)
			return this.table.list[this.table.active];
		if (!chosen || (!chosen.node && parts.length === 1) ||
		    chosen.part.tree.label[chosen.node] >= this.data.names.length)
			return -1;
		return chosen.part.tree.label[chosen.node];
	}

	openChosen() {
		const focus = this.chosenFunction();

		if (focus >= 0)
			this.set({ view: 'sandwich', focus, zoom: '' });
	}

	async copyName() {
		const name = this.data.names[this.chosenFunction()];

		if (name !== undefined) {
			await navigator.clipboard.writeText(name);
			this.say('Copied ' + name);
		}
	}

	swapCallers() {
		this.set({ view: this.state.view === 'callers' ? 'callees' : 'callers', zoom: '' });
	}

	swapShape() {
		this.set({ shape: this.state.shape === 'flame' ? 'icicle' : 'flame' });
	}

	/* Undo what hides most, as long as something is hidden. */
	goBack() {
		const { state } = this;

		if (state.zoom)
			this.set({ zoom: '' });
		else if (state.from !== DEFAULTS.from || state.to !== DEFAULTS.to)
			this.set({ from: DEFAULTS.from, to: DEFAULTS.to });
		else if (state.view === 'sandwich')
			this.set({ view: 'callees', focus: DEFAULTS.focus });
		else if (state.search)
			this.set({ search: '' });
	}
}

readData().then((data) => {
	const page = new Page(data);

	DEFAULTS.event = data.firstEvent;
	DEFAULTS.sort = data.isDiff ? 'change' : 'self';
	page.load();
	/* Tests read what the page shows. */
	window.tprof = page;
}).catch((error) => {
	document.getElementById('summary').textContent =
		`The page cannot be shown: ${error.message}. It needs a newer browser, or is not whole.`;
});
