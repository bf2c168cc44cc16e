/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page: the state, and what is made of it. A change of the state makes new sums if other
 * points are chosen, new trees if others are shown, and a new picture.
 */

/* What must be made again after a change of a member of the state. */
const SUMS = ['event', 'width', 'normalize', 'from', 'to', 'edits', 'thread'];
const TREES = ['view', 'shape', 'order', 'group', 'focus'];

class Page {
	constructor(data) {
		this.data = data;
		this.saved = this.state = { ...DEFAULTS };
		this.selected = -1;
		this.table = new Table(data, (sort) => this.set({ sort }),
				       (focus) => this.set({ view: 'sandwich', focus, zoom: '' }),
				       (name) => this.select(name));
		this.picture = new Picture(data, (label) => this.labelName(label),
					   (box, isChosen) => this.showBox(box, isChosen),
					   () => this.keepZoom(),
					   (from, to) => this.set({ from, to }));
		this.chartAxis = new Axis(data, 'chart-axis');
		this.picture.onWidth = () => this.fitChart();
		this.time = new Time(data, (from, to) => this.set({ from, to }));
		this.controls = new Controls(this);
		this.edits = new EditList(this);
		this.code = new Code(this);
		this.listen();
	}

	listen() {
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
			this.set({}, true));
		addEventListener('popstate', () => this.load());
		listenToKeys(this);
	}

	labelName(label) {
		const { names } = this.data;

		return label < names.length ? names[label] : this.groupNames[label - names.length];
	}

	/* The function with the most samples of its own, or -1. Small stacks are the last one. */
	hottest() {
		const { self } = this.functions;
		const nr = this.data.leastShare ? self.length - 1 : self.length;

		return self.subarray(0, nr).reduce((best, value, i) =>
			value > (self[best] || 0) ? i : best, -1);
	}

	/* Show what the URL has or, if it has no state, what options of html chose. */
	begin() {
		if (location.href.includes('#')) {
			this.load();
			return;
		}
		this.apply(checkState(firstState(this.data), this.data), true);
		this.saved = this.state;
		history.replaceState(null, '', hashOf(this.state));
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
		if (state.view === 'time' && !this.data.threadList.length)
			state.view = 'callees';
		if (state.view === 'time' && !state.thread)
			state.thread = busiestThread(this.data, state);
		this.applyTheme();
		if (['edits', 'thread'].some(isChanged))
			applyEdits(this.data, state);
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
		this.table.mark(state.view === 'sandwich' ? state.focus : -1);
		this.controls.show(state);
		this.edits.show();
		this.code.show();
		this.showTexts();
		this.time.show(state);
		this.picture.draw();
	}

	showTexts() {
		document.getElementById('summary').textContent = summaryText(this);
		document.getElementById('detail').textContent = '';
		this.say(searchText(this));
		this.picture.canvas.setAttribute('aria-label', pictureText(this));
		showCrumbs(this.picture);
	}

	applyTheme() {
		const dark = this.state.theme === 'dark' ||
			     (!this.state.theme && matchMedia('(prefers-color-scheme: dark)').matches);

		document.documentElement.classList.toggle('dark', dark);
		this.picture.colours = makeColours(this.state.palette);
		this.picture.changeColours = makeChangeColours(this.state.palette);
		showLegend(document.getElementById('legend'),
			   legendOf(this, this.data.isDiff ? [GREW, SHRANK, NOISE] : this.kinds()));
	}

	/* The kinds that the legend shows. */
	kinds() {
		if (!this.allKinds)
			this.allKinds = [...new Set(this.data.full.base.kind.subarray(1))].sort();
		return this.state.group ? this.allKinds.concat(KIND.GROUP) : this.allKinds;
	}

	makeSums() {
		const { base } = this.data;

		this.data.shown = this.state.width === 'old' ? OLD : NEW;
		sumBase(this.data, this.state);
		this.before = sumsBefore(this.data, this.state);
		this.total = { weight: base.weight[0], samples: base.samples[0] };
		this.functions = sumFunctions(this.data);
		if (this.data.isDiff) {
			this.total = sumsAt(this.data, base, 0);
			this.total.normalize = this.state.normalize;
			this.total.whole = wholeOf(this.state.normalize, this.total,
						   secondsOfRuns(this.data, this.state));
			this.functions.change = changeFunctions(this.functions, this.total);
		}
		this.picture.total = this.total;
		this.makeMatches();
	}

	makeMatches() {
		const regexp = compileSearch(this.state.search);

		this.controls.markSearch(regexp === undefined);
		this.matches = regexp ? matchNames(this.data, regexp) : null;
		this.found = regexp ? sumMatches(this.data.base, this.matches) : null;
		this.picture.matches = this.matches;
	}

	makeTrees() {
		const { state, data } = this;

		this.groupNames = [];
		const trees = this.treesOf(state, data);

		this.chart = state.view === 'time' ? trees[0] : null;
		this.picture.setTrees(state.order === 'weight' && !this.chart ? trees.map(heavyTree) : trees,
				      state.shape === 'flame');
		this.showChartAxis();
	}

	/* A bar to scroll by must not change the chart, which may need the bar or not. */
	fitChart() {
		if (this.chart && this.chart.pixels !== this.picture.scroll.offsetWidth)
			this.makeTrees();
		else
			this.showChartAxis();
	}

	/* Show the times of the chart, from the begin of its part of the time. */
	showChartAxis() {
		const { chart, data, chartAxis, picture: { width } } = this;

		chartAxis.place.hidden = !chart;
		if (!chart || !width)
			return;
		const seconds = secondsOf(data, chart.weight[0]);

		chartAxis.show({ width, begin: secondsOf(data, chart.first), seconds: () => seconds,
				 xOf: (time) => time / seconds * width }, this.state.axis);
	}

	treesOf(state, data) {
		if (state.view === 'sandwich')
			return [callersOf(data, state.focus), calleesOf(data, state.focus)];
		if (state.view === 'callers')
			return [invertedTree(data)];
		if (state.view === 'time')
			return [threadChart(data, state, this.picture.scroll.offsetWidth)];
		if (!state.group)
			return [data.base];
		const groups = groupPoints(data, choosePoints(data, state), state.group);

		this.groupNames = groups.names;
		return [groupTree(data, groups)];
	}

	keepZoom() {
		const zoom = zoomText(this.picture.parts);

		if (zoom !== this.state.zoom) {
			this.state = { ...this.state, zoom };
			saveState(this.state, this.saved);
			this.saved = this.state;
		}
		if (this.state.search)
			this.say(searchText(this));
		showCrumbs(this.picture);
	}

	say(text) {
		const status = document.getElementById('status');

		if (status.textContent !== text)
			status.textContent = text;
	}

	/* Describe a box. Only what the keyboard or a click chose is announced. */
	showBox(box, isChosen) {
		const text = box ? boxText(this, box) : '';

		document.getElementById('detail').textContent = text;
		if (!isChosen)
			return;
		this.select(this.functionOf(box));
		this.picture.canvas.setAttribute('aria-label', text);
		this.say(text);
	}

	/* The function of a box, or -1. */
	functionOf(box) {
		const label = box && !this.picture.isAll(box.node) ? box.part.tree.label[box.node] : -1;

		return label < this.data.names.length ? label : -1;
	}

	/* Select the function that edits apply to, and that the panel of instructions shows. */
	select(name) {
		this.selected = name;
		this.edits.show();
		this.code.show();
	}

	/*
	 * The function that was chosen last, in the table or in the picture, or else the one that
	 * the picture is around, as long as it has samples. Otherwise return -1.
	 */
	selectedFunction() {
		const { selected, state, functions: { total, samples, oldSelfSamples } } = this;
		const name = selected >= 0 || state.view !== 'sandwich' ? selected : state.focus;

		return total[name] || samples[name] || (oldSelfSamples && oldSelfSamples[name]) ?
		       name : -1;
	}

	edit(kind) {
		const name = this.selectedFunction();

		if (name >= 0)
			this.edits.add({ kind, name });
	}

	openChosen() {
		const focus = this.selectedFunction();

		if (focus >= 0)
			this.set({ view: 'sandwich', focus, zoom: '' });
	}

	async copyName() {
		const name = this.data.names[this.selectedFunction()];

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

	swapOrder() {
		if (!this.chart)
			this.set({ order: this.state.order === 'name' ? 'weight' : 'name' });
	}

	/* The chart is of the chosen thread, or else of the one with the most samples. */
	swapTime() {
		if (this.state.view === 'time')
			this.set({ view: 'callees', thread: '' });
		else if (this.data.threadList.length)
			this.set({ view: 'time', zoom: '' });
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
		else if (state.thread)
			this.set({ view: state.view === 'time' ? 'callees' : state.view, thread: '' });
		else if (state.search)
			this.set({ search: '' });
	}
}
