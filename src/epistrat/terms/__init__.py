"""Values, domains and typed expressions: what everything else is written in.  Imports nothing of ours."""

from epistrat.terms.domain import (
    Boolean as Boolean,
    Bounded as Bounded,
    Domain as Domain,
    Enumeration as Enumeration,
    FiniteDomain as FiniteDomain,
    Integer as Integer,
    Real as Real,
    Sort as Sort,
    Value as Value,
    whole as whole,
)
from epistrat.terms.expr import (
    FALSE as FALSE,
    TRUE as TRUE,
    ActionIs as ActionIs,
    And as And,
    Arith as Arith,
    AtLeast as AtLeast,
    Compare as Compare,
    Comparison as Comparison,
    Const as Const,
    Expr as Expr,
    Key as Key,
    Not as Not,
    Operation as Operation,
    Or as Or,
    Terms as Terms,
    Var as Var,
    Xor as Xor,
    bottom_up as bottom_up,
    children as children,
    subterms as subterms,
    variables as variables,
)
from epistrat.terms.node import Node as Node
