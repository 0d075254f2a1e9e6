(** * What is proved: one proposition per result, named as in the theory notes.

    Each is the form in which the formula of the library prints itself, so that a printed statement
    is accepted by conversion alone. The proofs are in the file named in each heading; together with
    [Definitions.v] this is all that a reader has to check. *)

From Coq Require Import Reals List.
From Coquelicot Require Import Coquelicot.
From Majorant Require Import Definitions.
Open Scope R_scope.

(** ** Comparison.v: the published functional form against the sharper ones *)

(** The published contribution is a weighted geometric mean of the Schatten one and the width. *)
Definition D1 : Prop :=
  forall (N S_ kappa p : R),
    N > 0 -> S_ > 0 -> kappa > 0 -> p >= 0 ->
    Rpower N ((1 + p) / (2 + p)) * Rpower S_ (1 / (2 + p)) * Rpower kappa (p / (2 + p))
    = Rpower N (p / (2 + p)) * Rpower (sqrt N * sqrt S_ * Rpower kappa (p / 2)) (2 / (2 + p)).

(** The smaller of the Schatten contributions at 0 and at [p] is below the published one. *)
Definition D2 : Prop :=
  forall (N S_ kappa p rank : R),
    N > 0 -> S_ > 0 -> kappa > 0 -> p >= 0 -> rank > 0 -> rank <= N -> p <= 2 ->
    Rmin (sqrt N * sqrt rank) (sqrt N * sqrt S_ * Rpower kappa (p / 2))
    <= Rpower N ((1 + p) / (2 + p)) * Rpower S_ (1 / (2 + p)) * Rpower kappa (p / (2 + p)).

(** The envelope's leading factor is below every Schatten factor. *)
Definition D3 : Prop :=
  forall (N c kappa p : R) (r : nat) (sigma : nat -> R),
    N > 0 -> c > 0 -> kappa > 0 -> p >= 0 -> (forall i : nat, sigma i >= 0) -> p < 2 ->
    (forall (i : nat), (1 <= i)%nat -> sigma (i + 1)%nat <= sigma i) ->
    sqrt N * sum_range 1 r (fun i => (sqrt (INR i) - sqrt (INR i - 1)) * Rmin c (kappa * sigma i))
    <= sqrt N * Rpower c (1 - p / 2) * Rpower kappa (p / 2)
       * sqrt (sum_range 1 r (fun i => positive_power (sigma i) p)) / (1 - p / 2).

(** Its step: the discrete form of [int x^(q-1) dx = x^q / q]. *)
Definition D3_step : Prop :=
  forall (q x y : R),
    q > 0 -> x > 0 -> y > 0 -> y <= x -> q <= 1 ->
    Rpower x (q - 1) * (x - y) <= (Rpower x q - Rpower y q) / q.

(** ** Spectra.v: Schatten classes *)

(** Markov's inequality on a spectrum; zeros are counted on neither side. *)
Definition C4p_markov : Prop :=
  forall (p tau : R) (r : nat) (sigma : nat -> R),
    p >= 0 -> tau > 0 -> (forall i : nat, sigma i >= 0) ->
    count_above r (fun i : nat => sigma i) tau
    <= Rpower tau (- p) * sum_range 1 r (fun i : nat => positive_power (sigma i) p).

Definition C4p_term : Prop :=
  forall (p s tau : R),
    p >= 0 -> s > 0 -> tau > 0 -> tau < s -> p <= 2 ->
    1 <= Rpower (s / tau) p.

(** ** Telescoping.v: moving the weights *)

(** Perturbations of the weights telescope along the blocks. *)
Definition A5 : Prop :=
  forall (L : nat) (Lip_of gap_of move_of : nat -> R),
    (1 <= L)%nat -> (forall i : nat, Lip_of i >= 0) -> (forall i : nat, gap_of i >= 0) ->
    (forall i : nat, move_of i >= 0) -> gap_of (0)%nat = 0 ->
    (forall (l : nat), (1 <= l)%nat -> gap_of l <= Lip_of l * gap_of (l - 1)%nat + move_of l) ->
    gap_of L
    <= sum_range 1 L (fun l => move_of l * prod_range (l + 1) L (fun l_after => Lip_of l_after)).

(** ** Laws.v: one attention head *)

(** The slope of an attention head from its two logit slopes: covariance and root-mean-square step. *)
Definition A3s : Prop :=
  forall (C_V b derivative s_key s_query : R),
    C_V >= 0 -> b > 0 -> s_key >= 0 -> s_query >= 0 -> head_slope C_V b s_query s_key derivative ->
    derivative <= C_V * (b * s_query + sqrt (1 + b ^ 2 * s_key ^ 2)).

(** The same for a plain form: [C + sqrt (1 + C^2)] at [C_V = b = 1]. *)
Definition A3 : Prop :=
  forall (C_Q C_V b derivative : R),
    C_Q >= 0 -> C_V >= 0 -> b > 0 -> head_slope C_V b (C_Q * b) (C_Q * b) derivative ->
    derivative <= C_V * (C_Q * b ^ 2 + sqrt (1 + C_Q ^ 2 * b ^ 4)).

(** ** Cumulants.v: the sharp constants of the softmax *)

(** Covariances of variables with values in [-1,1]. *)
Definition A1_2 : Prop :=
  forall (cumulant : R),
    cumulant_value2 cumulant ->
    cumulant <= 1.

(** Their third joint cumulant. *)
Definition A1_3 : Prop :=
  forall (cumulant : R),
    cumulant_value3 cumulant ->
    cumulant <= 1.

(** Their fourth joint cumulant. *)
Definition A1_4 : Prop :=
  forall (cumulant : R),
    cumulant_value4 cumulant ->
    cumulant <= 2.

(** ** Entropies.v: covering numbers and their allocation *)

(** Entropies increase with the norm and decrease with the scale. *)
Definition C1_increasing : Prop :=
  forall (C C_larger N1 N2 eps : R),
    C >= 0 -> C_larger >= 0 -> N1 > 0 -> N2 > 0 -> eps > 0 -> C <= C_larger ->
    N1 * N2 * ln (1 + 2 * C / eps) <= N1 * N2 * ln (1 + 2 * C_larger / eps).

(** Two factors in balls of radius [sqrt C], covered at [eps / (2 sqrt C)]. *)
Definition C2_factors : Prop :=
  forall (C N1 N2 eps k : R),
    C > 0 -> N1 > 0 -> N2 > 0 -> eps > 0 -> k >= 0 ->
    N1 * k * ln (1 + 4 * C / eps) + N2 * k * ln (1 + 4 * C / eps) = k * (N1 + N2) * ln (1 + 4 * C / eps).

Definition C2_increasing : Prop :=
  forall (C C_larger N1 N2 eps k : R),
    C >= 0 -> C_larger >= 0 -> N1 > 0 -> N2 > 0 -> eps > 0 -> k >= 0 -> C <= C_larger ->
    k * (N1 + N2) * ln (1 + 4 * C / eps) <= k * (N1 + N2) * ln (1 + 4 * C_larger / eps).

Definition C2_decreasing : Prop :=
  forall (C N1 N2 eps eps_smaller k : R),
    C >= 0 -> N1 > 0 -> N2 > 0 -> eps > 0 -> eps_smaller > 0 -> k >= 0 -> eps_smaller <= eps ->
    k * (N1 + N2) * ln (1 + 4 * C / eps) <= k * (N1 + N2) * ln (1 + 4 * C / eps_smaller).

(** The allocated radius solves the quadratic. *)
Definition C8_stationary : Prop :=
  forall (C lam weight : R),
    C > 0 -> lam > 0 -> weight > 0 ->
    4 * C * weight
    * (4 * C + 4 * C * weight / (lam * (2 * C + sqrt (4 * C ^ 2 + 4 * C * weight / lam))))
    / (2 * C + sqrt (4 * C ^ 2 + 4 * C * weight / lam)) = 4 * C * weight.

(** Its form without cancellation. *)
Definition C8_stable_form : Prop :=
  forall (C lam weight : R),
    C > 0 -> lam > 0 -> weight > 0 ->
    4 * C * weight / (lam * (2 * C + sqrt (4 * C ^ 2 + 4 * C * weight / lam)))
    = sqrt (4 * C ^ 2 + 4 * C * weight / lam) - 2 * C.

(** It is the global minimum, not a stationary point only. *)
Definition C8_optimal : Prop :=
  forall (C lam u weight : R),
    C > 0 -> lam > 0 -> u > 0 -> weight > 0 ->
    weight * ln (1 + lam * (2 * C + sqrt (4 * C ^ 2 + 4 * C * weight / lam)) / weight)
    + 4 * C * weight / (2 * C + sqrt (4 * C ^ 2 + 4 * C * weight / lam))
    <= lam * u + weight * ln (1 + 4 * C / u).

Definition C3_increasing : Prop :=
  forall (C N1 N2 eps k tau tau_larger : R),
    C >= 0 -> N1 > 0 -> N2 > 0 -> eps > 0 -> k >= 0 -> tau >= 0 -> tau_larger >= 0 ->
    tau <= tau_larger -> tau_larger < eps ->
    k * (N1 + N2) * ln (1 + 4 * C / (eps - tau)) <= k * (N1 + N2) * ln (1 + 4 * C / (eps - tau_larger)).

Definition C5_zhang_radius : Prop :=
  forall (N_2 m : R),
    N_2 > 0 -> m > 0 -> N_2 >= 1 -> m >= 1 ->
    (sqrt N_2 + sqrt 2 * sqrt (ln (2 * m))) ^ 2 <= 2 * N_2 + 4 * ln (2 * m).

Definition G7_second_move : Prop :=
  forall (deviation_after deviation_before variance : R),
    deviation_after >= 0 -> deviation_before >= 0 -> variance > 0 ->
    deviation_before >= 3 * sqrt variance / 4 ->
    deviation_after >= deviation_before - sqrt variance / 4 ->
    variance / 4 <= deviation_after ^ 2.

(** Moving the output moves the loss. *)
Definition G0_reach : Prop :=
  forall (Lambda eps loss_moved moved : R),
    Lambda > 0 -> eps > 0 -> loss_moved >= 0 -> moved >= 0 -> moved <= eps / Lambda ->
    loss_moved <= Lambda * moved ->
    loss_moved <= eps.

(** ** KL.v: the binary relative entropy *)

(** The [kl] inverse increases with the frequency. *)
Definition inverse_increases : Prop :=
  forall (delta entropy high low n price q q_larger : R),
    delta > 0 -> entropy >= 0 -> high >= 0 -> low >= 0 -> n > 0 -> price >= 0 -> q >= 0 ->
    q_larger >= 0 -> is_kl_inverse q ((entropy + price + ln (1 / delta)) / n) low ->
    is_kl_inverse q_larger ((entropy + price + ln (1 / delta)) / n) high -> q <= q_larger ->
    q_larger < 1 -> delta < 1 ->
    low <= high.

(** Pinsker's inequality for two coins. *)
Definition PINSKER : Prop :=
  forall (q r : R),
    q >= 0 -> r >= 0 -> q <= 1 -> r > 0 -> r < 1 ->
    2 * (q - r) ^ 2 <= kl q r.

(** ** Chernoff.v: finite lists of networks *)

(** The union bound over a list of [exp entropy] losses at the level of the [kl] inverse. *)
Definition G5 : Prop :=
  forall (delta entropy failure price : R) (n : nat),
    delta > 0 -> entropy >= 0 -> failure >= 0 -> price >= 0 -> (1 <= n)%nat ->
    list_failure n entropy ((entropy + price + ln (1 / delta)) / INR n) failure -> delta < 1 ->
    failure <= delta * exp (- price).

(** The price of the list, paid. *)
Definition G5_union : Prop :=
  forall (delta entropy price : R),
    delta > 0 -> entropy >= 0 -> price >= 0 ->
    delta * exp entropy * exp (- entropy - price) = delta * exp (- price).

(** Chernoff's bound for one loss. *)
Definition CHERNOFF : Prop :=
  forall (eps failure : R) (n : nat),
    eps > 0 -> (1 <= n)%nat -> list_failure n 0 eps failure ->
    failure <= exp (- (eps * INR n)).

(** ** Chaining.v: Rademacher averages on a tree of covers *)

(** Chaining on a tree of covers. *)
Definition G3 : Prop :=
  forall (rademacher_average : R) (J n : nat) (H_of scale_of : nat -> R),
    (1 <= J)%nat -> (1 <= n)%nat -> (forall i : nat, H_of i >= 0) ->
    (forall i : nat, scale_of i > 0) -> chain_value n J scale_of H_of rademacher_average ->
    rademacher_average
    <= scale_of (J + 1)%nat
       + sum_range 1 J (fun j =>
           sqrt 2 * (scale_of (j + 1)%nat + scale_of j) * sqrt (H_of j) / sqrt (INR n)).

(** Chaining on a tree of internal covers. *)
Definition G3_internal : Prop :=
  forall (rademacher_average : R) (J n : nat) (H_of scale_of : nat -> R),
    (1 <= J)%nat -> (1 <= n)%nat -> (forall i : nat, H_of i >= 0) ->
    (forall i : nat, scale_of i > 0) -> internal_chain_value n J scale_of H_of rademacher_average ->
    rademacher_average
    <= scale_of (J + 1)%nat
       + sum_range 1 J (fun j => sqrt 2 * sqrt (H_of j) * scale_of j / sqrt (INR n)).

(** Massart's lemma. *)
Definition MASSART : Prop :=
  forall (average log_cardinality radius : R) (n : nat),
    log_cardinality >= 0 -> radius >= 0 -> (1 <= n)%nat ->
    massart_value n log_cardinality radius average ->
    average <= sqrt 2 * sqrt log_cardinality * radius / sqrt (INR n).

Definition MASSART_cosh : Prop :=
  forall (x : R),
    cosh x <= exp (x ^ 2 / 2).

Definition MASSART_least : Prop :=
  forall (lam log_M : R),
    lam > 0 -> log_M > 0 ->
    sqrt 2 * sqrt log_M <= lam / 2 + log_M / lam.

(** ** Dudley.v: from the tree to the integral *)

(** Dudley's integral with the constant [6 sqrt 2], any covers. *)
Definition G2 : Prop :=
  forall (cut integral rademacher_average : R) (n : nat),
    cut > 0 -> integral >= 0 -> (1 <= n)%nat -> dudley_value n cut integral rademacher_average ->
    cut <= 1 / 4 ->
    rademacher_average <= 4 * cut + 6 * sqrt 2 * integral / sqrt (INR n).

(** With internal covers: [4 sqrt 2]. *)
Definition G2_internal : Prop :=
  forall (cut integral rademacher_average : R) (n : nat),
    cut > 0 -> integral >= 0 -> (1 <= n)%nat ->
    internal_dudley_value n cut integral rademacher_average -> cut <= 1 / 4 ->
    rademacher_average <= 4 * cut + 4 * sqrt 2 * integral / sqrt (INR n).

(** ** Integrals.v: the integral in closed form *)

(** The entropy integral of a power entropy, from any [cut > 0]. *)
Definition G4 : Prop :=
  forall (A B c cut offset p : R),
    A >= 0 -> B >= 0 -> c > 0 -> cut > 0 -> offset >= 0 -> p >= 0 -> p < 2 -> cut <= c ->
    RInt (fun eps => sqrt A * Rpower eps (- (p / 2)) * sqrt (offset + ln (1 + B / eps))) cut c
    <= sqrt A * Rpower c (1 - p / 2) * sqrt (offset + 1 / (1 - p / 2) + ln (1 + B / c))
       / (1 - p / 2).

Definition G4_logarithm : Prop :=
  forall (B c varepsilon : R),
    B >= 0 -> c > 0 -> varepsilon > 0 -> varepsilon <= c ->
    ln (1 + B / varepsilon) <= ln (c / varepsilon) + ln (1 + B / c).

Definition G4_roots_add : Prop :=
  forall (x y : R),
    x >= 0 -> y >= 0 ->
    sqrt (x + y) <= sqrt x + sqrt y.

Definition G4_jensen : Prop :=
  forall (x y : R),
    x >= 0 -> y >= 0 -> y > 0 ->
    sqrt x <= (x + y) / (2 * sqrt y).

Definition G4_square_root : Prop :=
  forall (A constant varepsilon : R),
    A >= 0 -> constant >= 0 -> varepsilon > 0 ->
    sqrt (constant + A / varepsilon ^ 2) <= sqrt constant + sqrt A / varepsilon.

(** ** Prices.v: choices made after seeing the weights *)

(** The weights of a geometric grid telescope. *)
Definition U3_telescopes : Prop :=
  forall (n_terms : nat),
    sum_range 0 n_terms (fun factor : nat => 1 / ((1 + INR factor) * (2 + INR factor)))
    = 1 - 1 / (2 + INR n_terms).

(** All integers together have weight at most 1. *)
Definition U3_two_sided : Prop :=
  forall (n_terms : R),
    n_terms >= 0 ->
    1 - 4 / (3 * (2 + n_terms)) <= 1.

(** Uniform weights over [(2m+1)^K] choices. *)
Definition U1 : Prop :=
  forall (K m_grid : R),
    K > 0 -> m_grid > 0 ->
    Rpower (1 + 2 * m_grid) K * exp (- (K * ln (1 + 2 * m_grid))) = 1.

Definition U2_moment : Prop :=
  forall (C h p x y : R),
    C > 0 -> h > 0 -> p >= 0 -> x > 0 -> y > 0 -> x <= C -> y <= C ->
    Rpower x (h + p) + Rpower y (h + p) <= Rpower C h * (Rpower x p + Rpower y p).

(** Moving the index up costs the Schatten contribution this much. *)
Definition U2_schatten : Prop :=
  forall (C N S_ h kappa p : R),
    C > 0 -> N > 0 -> S_ > 0 -> h > 0 -> kappa > 0 -> p >= 0 ->
    Rpower C (h / 2) * sqrt N * sqrt S_ * Rpower kappa (h / 2 + p / 2)
    <= sqrt N * sqrt S_ * Rpower kappa (p / 2) * exp (h * log_plus (C * kappa) / 2).

(** The price of the grid of indices, for the Schatten contribution. *)
Definition U2 : Prop :=
  forall (C N S_ S_next h kappa m_grid p : R),
    C > 0 -> N > 0 -> S_ > 0 -> S_next > 0 -> h > 0 -> kappa > 0 -> m_grid > 0 -> p >= 0 ->
    S_next <= Rpower C h * S_ -> h <= 1 / m_grid ->
    sqrt N * sqrt S_next * Rpower kappa (h / 2 + p / 2)
    <= sqrt N * sqrt S_ * Rpower kappa (p / 2) * exp (log_plus (C * kappa) / (2 * m_grid)).

(** And for the published one, where [C] is the largest singular value. *)
Definition U2_published : Prop :=
  forall (C N S_ S_next h kappa m_grid p : R),
    C > 0 -> N > 0 -> S_ > 0 -> S_next > 0 -> h > 0 -> kappa > 0 -> m_grid > 0 -> p >= 0 ->
    S_next <= Rpower C h * S_ -> S_ >= Rpower C p -> h <= 1 / m_grid -> N >= 1 ->
    Rpower N ((1 + h + p) / (2 + h + p)) * Rpower S_next (1 / (2 + h + p))
    * Rpower kappa ((h + p) / (2 + h + p))
    <= Rpower N ((1 + p) / (2 + p)) * Rpower S_ (1 / (2 + p)) * Rpower kappa (p / (2 + p))
       * exp ((ln N + 2 * log_plus (C * kappa)) / (4 * m_grid)).

(** ** Staircases.v: an envelope chosen after training *)

(** Kraft's inequality: distinct staircases of one of the [N_min + 1] ranks, each with its weight
    [exp (- price)], weigh at most [1 / (N_min + 1)] together. *)
Definition U4 : Prop :=
  forall (N_min : R) (J_blocks M : nat) (level : nat -> nat -> R),
    N_min > 0 -> (1 <= J_blocks)%nat -> (1 <= M)%nat ->
    (forall (j k : nat), (1 <= j)%nat -> (1 <= k)%nat -> level k j <= level k (j - 1)%nat) ->
    distinct_staircases M J_blocks level ->
    sum_range 1 M (fun k =>
      exp (- ln (3 / 2) - ln ((1 + Rabs (level k 1%nat)) * (2 + Rabs (level k 1%nat))) - ln (1 + N_min)
           - sum_range 2 J_blocks (fun j =>
               ln ((1 + level k (j - 1)%nat - level k j) * (2 + level k (j - 1)%nat - level k j)))))
    <= 1 / (1 + N_min).

(** ** Activations.v: slopes, with primitive arithmetic *)

(** The largest slope of SiLU, over the whole line. *)
Definition silu : Prop :=
  forall (slope : R),
    silu_slope slope ->
    slope <= 43993572805154676678327397 / 40000000000000000000000000.

(** The largest slope of GELU, over the whole line. *)
Definition gelu : Prop :=
  forall (slope : R),
    gelu_slope slope ->
    slope <= 1128904145185154786340744443 / 1000000000000000000000000000.
