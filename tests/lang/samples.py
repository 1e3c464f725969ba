"""ISPL texts that the tests of the language share."""

from __future__ import annotations

# Everything the grammar has, at least once.
EVERYTHING = """
Semantics = MultiAssignment;
Composition = Synchronous;

Agent Environment
    Obsvars:
        phase : {talk, done};
    end Obsvars
    Vars:
        light : boolean;
        count : -2..5;
    end Vars
    RedStates:
        phase = done and !light;
    end RedStates
    Actions = {on, off};
    Protocol:
        light = true or count > 2 : {off};
        Other : {on, off};
    end Protocol
    Evolution:
        light = true and phase = done if Action = on;
        (light = ~light & (true | false) ^ light) if C1.Action = say -> count <= 3;
        (count = count + 1 * 2 - -1 and (light = false)) if Action = off and count / 2 < 2;
        Environment.light = (count >= 0) if light <-> phase <> talk;
    end Evolution
end Agent

Agent C1
    Lobsvars = {light, count};
    Vars:
        paid : {yes, no};
        far : integer;
        share : real;
    end Vars
    RedStates:
    end RedStates
    Actions = {say, nothing};
    Protocol:
        C1.paid = yes xor Environment.light : {say, nothing};
        Other : {nothing};
    end Protocol
    Evolution:
        share = share / 2 + 0.5 if share != 0;
        far = far + Environment.count if Environment.Action = on and !(Action = say);
    end Evolution
end Agent

Agent C2
    Actions = {};
end Agent

Evaluation
    paid if C1.paid = yes;
    lit if Environment.light;
    far if C1.far > 10;
end Evaluation

InitStates
    C1.far = 0 and C1.share = 1 and Environment.count = 0 and !Environment.light;
end InitStates

Groups
    all = {C1, C2, Environment};
    none = {};
end Groups

Goals
    C1 : F paid;
    Environment : paid U lit;
end Goals

Fairness
    lit;
    !K(C1, paid);
end Fairness

Formulae
    AG (paid -> EF lit <-> AX far xor EX !far);
    AF paid or EG lit and A(paid U lit);
    E(!paid W lit) -> A(true R paid);
    <all>X paid and <C1, C2>F lit and <{C1}>G paid and <>(paid U lit) and <{}>X lit;
    K(C1, paid) and GK(all, lit) and GCK({C1, Environment}, lit) and DK(C1, far) and O(C1, paid) and
      AG (K[clock](C1, paid) -> GCK[recall](all, lit)) and [! lit] <! paid and (C1.share > 1.5)> DK[changes]({C1}, paid);
    LTL G (paid -> F lit) and X !paid U lit;
    CTL* A (G F paid -> E X lit);
    G (paid -> Once lit) and Hist (Y paid S lit);
    A G F paid;
    AG (C1.paid = yes -> (C1.far + 1) * 2 > 3 or Environment.light or C1.RedStates or !C2.GreenStates);
    true or false;
    A X (paid U lit) and E F G paid;
    <all>((G F paid) and (F lit)) and <all>!(paid U X lit);
    #PR <<x>> [[y]] (C1, x) (Environment, y) ((paid and lit U far -> lit) and !X K(C1, lit));
    <<x, y>> (all, x) (C1, y) F paid;
    #ir ENash(F paid) and ANash(G lit) or Nash;
end Formulae
"""

# A model that MCMAS accepts, with every construct of its language.
PLAIN = """
Semantics = MA;
Agent Environment
    Obsvars:
        o : {s, t};
    end Obsvars
    Vars:
        l : boolean;
    end Vars
    RedStates:
        l = true;
    end RedStates
    Actions = {go, stay};
    Protocol:
        l = true : {go};
        Other : {stay};
    end Protocol
    Evolution:
        l = false and o = t if Action = go and !(P.Action = b);
    end Evolution
end Agent

Agent P
    Lobsvars = {l};
    Vars:
        n : -1 .. 3;
        b : boolean;
    end Vars
    RedStates:
    end RedStates
    Actions = {a, b};
    Protocol:
        n + 1 > 2 or (b = true and Environment.l = false) : {a, b};
        Environment.o <> s : {b};
        Other : {a};
    end Protocol
    Evolution:
        n = n + 1 if n < 3 and Action = a;
        (b = ~b & (true | b ^ b)) if Environment.Action = go;
        (n = -1 and b = false) if n = 3;
    end Evolution
end Agent

Evaluation
    p if P.n = 0;
    q if P.b = true or Environment.o = s;
    r if (P.b & P.b) = true and P.n * 2 - 1 < 9;
end Evaluation

InitStates
    P.n = 0 and !(P.b = Environment.l) and (Environment.o = s or Environment.o = t);
end InitStates

Groups
    g = {P, Environment};
end Groups

Fairness
    q;
    EX p or K(P, q);
end Fairness

Formulae
    AG (p -> EF q or AX !p and EX r);
    A(!p U q) and E(p U q) or AF p or EG q;
    K(P, p) and GK(g, p) and GCK(g, q) and DK(g, r) and O(P, p) and K(Environment, p);
    <g>X p and <g>F q -> <g>G p or <g>(p U q);
    P.RedStates or Environment.GreenStates;
    LTL G (p -> F q) and X !p U q and K(P, X p);
    CTL* A (G p) and E (F (q and A (X p))) and K(P, E (F p));
end Formulae
"""

MODEL = """
Agent P
    Vars:
        x : 0..3;
        b : boolean;
        c : {{red, green}};
        {vars}
    end Vars
    Actions = {{a, stop}};
    Protocol:
        {protocol}
        Other : {{a, stop}};
    end Protocol
    Evolution:
        {evolution}
    end Evolution
end Agent
Agent Q
    Vars:
        y : 0..3;
    end Vars
    Actions = {{a}};
    Protocol:
        Other : {{a}};
    end Protocol
    Evolution:
    end Evolution
end Agent
Evaluation
    p if P.x = 1 and Q.y = 1;
    q if P.b = true;
    {evaluation}
end Evaluation
InitStates
    {initial};
end InitStates
Groups
    g = {{P, Q}};
    {groups}
end Groups
{sections}
Formulae
    {formulae};
end Formulae
"""


def model(
    *,
    vars: str = "",
    protocol: str = "",
    evolution: str = "",
    evaluation: str = "",
    initial: str = "P.x = 0",
    groups: str = "",
    sections: str = "",
    formulae: str = "AG p",
) -> str:
    """A small model with something put into one of its sections."""
    return MODEL.format(
        vars=vars,
        protocol=protocol,
        evolution=evolution,
        evaluation=evaluation,
        initial=initial,
        groups=groups,
        sections=sections,
        formulae=formulae,
    )


PROGRAM = """
Knowledge = Clock;
Agent Ann
  Vars: x : boolean; n : 0..2; end Vars
  Actions = {a, b};
  Protocol:
    x = true and !K(self, p) or K(self, Once p) : {a};
    (KW(self, p) xor n + 1 > 1) : {b};
    K(self, p) -> GCK({self, Bob}, K(Bob, p)) <-> x = true : {a, b};
    Other : {a};
  end Protocol
  Evolution: x = true if Action = b; end Evolution
end Agent
Agent Bob
  Vars: y : boolean; end Vars
  Actions = {a};
  Protocol: Other : {a}; end Protocol
  Evolution: y = false if y = true; end Evolution
end Agent
Evaluation p if Ann.x = true; end Evaluation
InitStates Ann.n = 0; end InitStates
Groups both = {Ann, Bob}; end Groups
Formulae AG p; end Formulae
"""
