"""Results of the models that ``tools/golden`` compares: classifiers, scorecards, graphs."""

import golden_cases
import golden_tables as make
import numpy as np
import pandas as pd
from golden_cases import build, model_dict, section

import partage as pt


def classifier(model, X):
    """Results of a naive Bayes classifier."""
    found = {
        "model": model_dict(model),
        "joint": model.predict_joint_log_proba(X),
        "proba": model.predict_proba(X),
        "predict": model.predict(X),
        "summary": model.summary(),
        "importance": model.feature_importances_,
    }
    if hasattr(model, "selected_features_"):
        found["selected"] = model.selected_features_
    return found


@section
def bayes():
    """Naive Bayes classifiers, their products, selections and batches."""
    for n_classes in (2, 4):
        X, y = make.table(n_classes=n_classes, seed=15)
        new = make.table(seed=16)[0]
        variants = {
            "plain": {}, "pairs": {"interactions": 2},
            "triples": {"interactions": 3, "max_parts": 3},
            "merge": {"missing": "merge", "special_values": {"number": [-999]}, "special": "merge"},
            "mdlpc": {"method": {"numeric": "mdlpc", "categorical": "khiops"}},
        }  # fmt: skip
        for name, options in variants.items():
            for kind in ("NaiveBayesClassifier", "SelectiveNaiveBayesClassifier"):
                selected = {"selection": "lift"} if kind.startswith("Selective") else {}
                yield (
                    f"{n_classes}/{kind}/{name}",
                    lambda k=kind, o=options | selected, X=X, y=y, new=new: classifier(
                        build(k, **o).fit(X, y), new
                    ),
                )
        for selection in ("lift", "mdl"):
            yield (
                f"{n_classes}/selection/{selection}",
                lambda s=selection, X=X, y=y, new=new: classifier(
                    build("SelectiveNaiveBayesClassifier", selection=s).fit(X, y), new
                ),
            )

        def batches(X=X, y=y, new=new):
            model = build("NaiveBayesClassifier")
            for start in range(0, 900, 300):
                model.partial_fit(X[start : start + 300], y[start : start + 300])
            return classifier(model, new)

        yield f"{n_classes}/batches", batches


@section
def scorecards():
    """Scorecards; their weights are scikit-learn's logistic regression."""
    X, y = make.table(seed=17)
    new = make.table(seed=18)[0]
    variants = {
        "plain": {}, "rounded": {"rounded": True}, "min-parts": {"min_parts": 3},
        "scale": {"points_to_double": 30, "base": 500, "base_odds": 20, "positive": "no"},
        "given": {"partitioner": pt.TablePartitioner(max_parts=4)},
    }  # fmt: skip
    for name, options in variants.items():

        def card(options=options):
            made = build("Scorecard", **options).fit(X, y)
            return {
                "model": model_dict(made),
                "table": made.table(),
                "points": made.points(new),
                "proba": made.predict_proba(new),
                "sql": made.to_sql(),
                "python": made.to_python(),
            }

        yield name, card


@section
def binary():
    """Binarization, covers and patterns."""
    X, y = make.table(n=220, seed=19, n_classes=3)
    X = X.drop(columns=["day", "constant"])
    new = make.table(n=150, seed=20)[0].drop(columns=["day", "constant"])
    for method in ("ideal", "ideal-by-attribute", "greedy", "simple-greedy", "tree"):
        for consistency in (1, 2):
            if consistency == 2 and method in ("simple-greedy", "tree"):
                continue

            def conditions(method=method, consistency=consistency):
                made = build("DataBinarizer", method=method, consistency=consistency).fit(X, y)
                kept = [(str(d), d.merit) for d in made.discriminants_]
                return {"kept": kept, "model": model_dict(made), "transform": made.transform(new)}

            yield f"{method}/{consistency}", conditions
    options = {
        "global": {"merit": "global"}, "tolerance": {"tolerance": 0.02},
        "most": {"max_discriminants": 5},
        "monotonic": {"monotonic": {"age": 1, "noise": -1}}, "early": {"early_stopping": 10},
        "sparse": {"output": "sparse"},
    }  # fmt: skip
    for name, given in options.items():

        def chosen(given=given):
            made = build("DataBinarizer", **given).fit(X, y)
            kept = [str(d) for d in made.discriminants_]
            return {"kept": kept, "transform": made.transform(new)}

        yield f"options/{name}", chosen
    for patterns in ("prime", "maximal"):

        def classify(patterns=patterns):
            made = build("LADClassifier", patterns=patterns, monotonic={"age": 1}).fit(X, y)
            return {"model": model_dict(made), "proba": made.predict_proba(new)}

        yield f"lad/{patterns}", classify


def graph_cells(model, X):
    """Results of a partition of a graph."""
    p = model.partition_
    codes = p.codes if hasattr(p, "codes") else p.labels
    found = {
        "parts": [codes, p.counts, p.cost, p.null_cost, p.level, p.majority, p.rates, p.family],
        "table": p.table(),
        "dict": {k: v for k, v in p.to_dict().items() if k != "readings"},
        "readings": list(p.readings),
        "predict": model.predict(X),
    }
    if hasattr(model, "nodes_"):
        found["nodes"] = [[n.n, n.null_cost, n.split_cost, n.size] for n in model.nodes_]
    return found


@section
def graphs():
    """Partitions of graphs, their costs, and the ranking of subsets."""
    X, y = make.points()
    new = make.points(seed=4)[0]
    variants = {f"graph/{g}": {"graph": g} for g in ("gabriel", "rng", "knn", "delaunay")}
    variants |= {f"balls/{b}": {"balls": b} for b in ("local", "trace")}
    variants |= {"half": {"null_prior": "half"}, "prototypes": {"method": "prototypes"}}
    for init in ("all", "balls", "classes", "bipartition", "singletons"):
        variants[f"init/{init}"] = {"method": "agglomerative", "init": init}
    variants["connected"] = {"method": "agglomerative", "grouping": "connected"}
    variants["still"] = {"method": "agglomerative", "init": "balls", "moves": False}
    variants["scaled"] = {"scale": "minmax", "metric": "cityblock", "max_ball_size": 30}
    for name, options in variants.items():
        yield name, lambda o=options: graph_cells(build("GraphPartitioner", **o).fit(X, y), new)
    weight = make.draw(80, len(y), 3)
    yield (
        "weights",
        lambda: graph_cells(
            build("GraphPartitioner", scale="standard").fit(X, y, sample_weight=weight), new
        ),
    )
    yield (
        "classifier",
        lambda: {"proba": build("GraphPartitionClassifier").fit(X, y).predict_proba(new)},
    )

    def costs():
        graph = pt.gabriel_graph(X)
        labels = build("GraphPartitioner").fit(X, y).labels_
        ball = np.flatnonzero(labels == 0)
        return {
            "graph": graph.toarray(),
            "balls": pt.count_balls(graph),
            "cost": vars(pt.partition_cost(graph, labels, y)),
            "ranking": pt.rank_subsets(
                pd.DataFrame(X, columns=["a", "b"]).assign(c=make.draw(81, len(y), 9) / 4), y,
                **({"n_jobs": golden_cases.JOBS} if golden_cases.JOBS else {}),
            ),
            "n": len(ball),
        }  # fmt: skip

    yield "costs", costs
