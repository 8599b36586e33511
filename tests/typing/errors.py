"""A script of a user with planted errors: each line that has one says so, and only these."""

import partage as pt

rows = [[1.0], [2.0], [3.0], [4.0]] * 9
y = [0, 0, 1, 1] * 9

p = pt.discretize(rows, y, max_part=3)  # error: no such parameter
q: pt.Groups = pt.discretize(rows, y)  # error: intervals are no groups
pt.Discretiser()  # error: no such name
enc = pt.Discretizer(max_part=3)  # error: no such parameter
enc = pt.Discretizer(search=3)  # error: a search is named
enc.fit(rows, y).summaries()  # error: no such method
enc.fit(rows, y).transform()  # error: rows are needed
text: str = enc.fit(rows, y).transform(rows)  # error: an array
number: int = pt.TablePartitioner().fit(rows, y).summary()  # error: a table
wrong: str = pt.load("model.json")  # error: an estimator
cost: str = pt.discretize([1.0, 2.0], [0, 1]).cost  # error: a number
pt.NaiveBayesClassifier().fit(rows, y).predict_probability(rows)  # error: no such method
