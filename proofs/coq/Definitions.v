(** * Every notion that occurs in a statement of this development.

    Read this file and [Statements.v]: the other files are proofs, which the kernel has read for you.

    Families of numbers (spectra, laws, scales, Lipschitz constants) are functions [nat -> R] that are
    looked at on a finite range of indices, as in the indexed sums of the formulas. *)

From Coq Require Import Reals List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

(** ** Finite sums and products, [a] to [b] inclusive, as folds; empty if [b < a] *)

Definition indices (a b : nat) : list nat := seq a (S b - a).

Definition sum_range (a b : nat) (f : nat -> R) : R :=
  fold_right (fun i rest => f i + rest) 0 (indices a b).

Definition prod_range (a b : nat) (f : nat -> R) : R :=
  fold_right (fun i rest => f i * rest) 1 (indices a b).

(** ** Spectra *)

(** [x ^ p], and 0 at [x = 0] for every [p]: Schatten sums do not count zeros. *)
Definition positive_power (x p : R) : R := if Rlt_dec 0 x then Rpower x p else 0.

Definition log_plus (x : R) : R := Rmax 0 (ln x).

(** How many of [s 1, ..., s r] exceed [tau]. *)
Definition count_above (r : nat) (s : nat -> R) (tau : R) : R :=
  sum_range 1 r (fun i => if Rlt_dec tau (s i) then 1 else 0).

(** ** Staircases: [M] of them, the integer levels of staircase [k] being [e k 1 >= ... >= e k J] *)

Definition distinct_staircases (M J : nat) (e : nat -> nat -> R) : Prop :=
  (forall k j, (1 <= k <= M)%nat -> (1 <= j <= J)%nat -> exists z : Z, e k j = IZR z) /\
  (forall k l, (1 <= k < l)%nat -> (l <= M)%nat -> exists j, (1 <= j <= J)%nat /\ e k j <> e l j).

(** ** Finite laws: [p 1, ..., p n] are non-negative and sum to 1 *)

Definition law (n : nat) (p : nat -> R) : Prop :=
  (forall i, (1 <= i <= n)%nat -> 0 <= p i) /\ sum_range 1 n p = 1.

Definition mean (n : nat) (p v : nat -> R) : R := sum_range 1 n (fun s => p s * v s).

Definition covariance (n : nat) (p v w : nat -> R) : R :=
  sum_range 1 n (fun s => p s * ((v s - mean n p v) * (w s - mean n p w))).

(** Joint cumulants of orders three and four, in centred form. *)
Definition cumulant3 (n : nat) (p u v w : nat -> R) : R :=
  sum_range 1 n (fun s => p s *
    ((u s - mean n p u) * (v s - mean n p v) * (w s - mean n p w))).

Definition cumulant4 (n : nat) (p u v w x : nat -> R) : R :=
  sum_range 1 n (fun s => p s *
    ((u s - mean n p u) * (v s - mean n p v) * ((w s - mean n p w) * (x s - mean n p x))))
  - covariance n p u v * covariance n p w x
  - covariance n p u w * covariance n p v x
  - covariance n p u x * covariance n p v w.

Definition within_one (n : nat) (v : nat -> R) : Prop := forall s, (1 <= s <= n)%nat -> Rabs (v s) <= 1.

(** [z] is the absolute value of a joint cumulant of variables with values in [-1,1]. *)
Definition cumulant_value2 (z : R) : Prop :=
  exists n p u v, law n p /\ within_one n u /\ within_one n v /\ z = Rabs (covariance n p u v).

Definition cumulant_value3 (z : R) : Prop :=
  exists n p u v w, law n p /\ within_one n u /\ within_one n v /\ within_one n w
    /\ z = Rabs (cumulant3 n p u v w).

Definition cumulant_value4 (z : R) : Prop :=
  exists n p u v w x, law n p /\ within_one n u /\ within_one n v /\ within_one n w /\ within_one n x
    /\ z = Rabs (cumulant4 n p u v w x).

(** ** Vectors of length [N] *)

Definition dot (N : nat) (a b : nat -> R) : R := sum_range 1 N (fun i => a i * b i).
Definition norm (N : nat) (a : nat -> R) : R := sqrt (dot N a a).

(** [z] is a directional derivative of an attention head, tested against a unit vector: the keys have
    the law [p]; [a] is the value map applied to the test vector, [y s] the value of key [s], [g] the
    gradient of its logit in its own token, [w s] the change of its logit by the query's move, [h s]
    the move of token [s]. *)
Definition head_slope (C_V b s_query s_key z : R) : Prop :=
  exists (n N : nat) (p y w : nat -> R) (h : nat -> nat -> R) (a g : nat -> R),
    law n p /\ norm N a <= C_V /\ norm N g <= s_key /\
    (forall s, (1 <= s <= n)%nat -> Rabs (y s) <= C_V * b) /\
    (forall s, (1 <= s <= n)%nat -> Rabs (w s) <= s_query) /\
    (forall s, (1 <= s <= n)%nat -> norm N (h s) <= 1) /\
    z = sum_range 1 n (fun s => p s * dot N (h s) (fun i => a i + (y s - mean n p y) * g i))
        + covariance n p y w.

(** The same where the gradient [g s] of a logit differs from key to key (rotary positions). *)
Definition free_head_slope (C_V b s_query s_key z : R) : Prop :=
  exists (n N : nat) (p y w : nat -> R) (h g : nat -> nat -> R) (a : nat -> R),
    law n p /\ norm N a <= C_V /\
    (forall s, (1 <= s <= n)%nat -> norm N (g s) <= s_key) /\
    (forall s, (1 <= s <= n)%nat -> Rabs (y s) <= C_V * b) /\
    (forall s, (1 <= s <= n)%nat -> Rabs (w s) <= s_query) /\
    (forall s, (1 <= s <= n)%nat -> norm N (h s) <= 1) /\
    z = sum_range 1 n (fun s => p s * dot N (h s) (fun i => a i + (y s - mean n p y) * g s i))
        + covariance n p y w.

(** How the mean of values of size at most [size] moves when the logits move at unit speed. *)
Definition logit_slope (size z : R) : Prop :=
  exists (n : nat) (p y w : nat -> R), law n p /\
    (forall s, (1 <= s <= n)%nat -> Rabs (y s) <= size) /\
    (forall s, (1 <= s <= n)%nat -> Rabs (w s) <= 1) /\ z = covariance n p y w.

(** ** Layers on rows: a matrix of spectral norm [C] enters as a map with one of these two bounds *)

Definition bounded_by (N M : nat) (C : R) (W : (nat -> R) -> nat -> R) : Prop :=
  forall x, norm M (W x) <= C * norm N x.

Definition difference (x y : nat -> R) : nat -> R := fun i => x i - y i.

Definition lipschitz (N M : nat) (C : R) (W : (nat -> R) -> nat -> R) : Prop :=
  forall x y, norm M (difference (W x) (W y)) <= C * norm N (difference x y).

(** [z] is the norm of an affine row. *)
Definition affine_row (C b B z : R) : Prop :=
  exists N M W c x, bounded_by N M C W /\ norm N x <= b /\ norm M c <= B /\
    z = norm M (fun i => W x i + c i).

(** [z] is the size of a logit of two affine rows, the query's from a token of norm at most [b_x] and
    the key's from one of norm at most [b_y]; the maps may rotate. *)
Definition logit_value (C_q B_q C_k B_k b_x b_y scale z : R) : Prop :=
  exists N M W_q W_k c_q c_k x y, bounded_by N M C_q W_q /\ bounded_by N M C_k W_k /\
    norm M c_q <= B_q /\ norm M c_k <= B_k /\ norm N x <= b_x /\ norm N y <= b_y /\
    z = Rabs (scale * dot M (fun i => W_q x i + c_q i) (fun i => W_k y i + c_k i)).

(** [z] is a difference quotient of [F] at two points of the region [P]. *)
Definition quotient (N M : nat) (P : (nat -> R) -> Prop) (F : (nat -> R) -> nat -> R) (z : R) : Prop :=
  exists x y, P x /\ P y /\ 0 < norm N (difference x y) /\
    z * norm N (difference x y) = norm M (difference (F x) (F y)).

(** Rows projected on the unit ball. *)
Definition projection_quotient (z : R) : Prop :=
  exists N, quotient N N (fun _ => True) (fun x i => x i / Rmax 1 (norm N x)) z.

Definition slope_at_most (L : R) (phi : R -> R) : Prop := forall s t, Rabs (phi s - phi t) <= L * Rabs (s - t).
Definition growth_at_most (A phi_0 : R) (phi : R -> R) : Prop := forall s, Rabs (phi s) <= A * Rabs s + phi_0.

Definition feed_forward_quotient (C_in C_out L z : R) : Prop :=
  exists N M Q W_in W_out phi, lipschitz N M C_in W_in /\ lipschitz M Q C_out W_out /\
    slope_at_most L phi /\ quotient N Q (fun _ => True) (fun x => W_out (fun i => phi (W_in x i))) z.

(** Where the entries of the two branches are at most [R_gate] and [R_up]. *)
Definition gated_quotient (C_gate C_up C_down L R_gate R_up z : R) : Prop :=
  exists N M Q gate up down phi, lipschitz N M C_gate gate /\ lipschitz N M C_up up /\
    lipschitz M Q C_down down /\ slope_at_most L phi /\
    quotient N Q (fun x => forall i, (1 <= i <= M)%nat ->
                             Rabs (phi (gate x i)) <= R_gate /\ Rabs (up x i) <= R_up)
      (fun x => down (fun i => phi (gate x i) * up x i)) z.

(** [z] is the norm of an activated row of [n] entries, or the size of one of its entries. *)
Definition activated_row (n : nat) (A C b B phi_0 z : R) : Prop :=
  exists N W c x phi, bounded_by N n C W /\ norm N x <= b /\ norm n c <= B /\
    growth_at_most A phi_0 phi /\ z = norm n (fun i => phi (W x i + c i)).

Definition activated_entry (A C b B phi_0 z : R) : Prop :=
  exists N n W c x phi i, bounded_by N n C W /\ norm N x <= b /\ norm n c <= B /\
    growth_at_most A phi_0 phi /\ (1 <= i <= n)%nat /\ z = Rabs (phi (W x i + c i)).

(** [z] is the norm of a row of [N] entries after RMSNorm (LayerNorm: [y] has mean zero). *)
Definition normalized_row (N : nat) (G B eps z : R) : Prop :=
  exists y gain bias, 0 < eps /\ (forall i, (1 <= i <= N)%nat -> Rabs (gain i) <= G) /\
    norm N bias <= B /\ z = norm N (fun i => gain i * (y i / sqrt (dot N y y / INR N + eps)) + bias i).

(** [z] is the size of one coordinate of a row of norm at most [D]. *)
Definition coordinate (D z : R) : Prop :=
  exists N u i, norm N u <= D /\ (1 <= i <= N)%nat /\ z = Rabs (u i).

(** ** Majorants: derivatives of maps in unit directions, by the rules that they obey

    [F], [X], [Y] are spaces of maps with the supremum norm, [d h f] is the derivative of the map [f]
    in the direction [h]. A majorant is given by its Taylor coefficients [a 0, a 1, ...]. *)

Definition iterate {D F : Type} (d : D -> F -> F) (l : list D) (f : F) : F :=
  fold_left (fun f h => d h f) l f.

Definition majorized {D F : Type} (size : F -> R) (d : D -> F -> F) (f : F) (a : nat -> R) : Prop :=
  forall l, size (iterate d l f) <= INR (fact (length l)) * a (length l).

(** [z] is the Taylor coefficient of order [n] of [f] in some directions. *)
Definition coefficient {D F : Type} (size : F -> R) (d : D -> F -> F) (f : F) (n : nat) (z : R) : Prop :=
  exists l, length l = n /\ z = size (iterate d l f) / INR (fact n).

Definition additive {D F : Type} (size : F -> R) (plus : F -> F -> F) (d : D -> F -> F) : Prop :=
  (forall u v, size (plus u v) <= size u + size v) /\
  (forall h u v, d h (plus u v) = plus (d h u) (d h v)).

Definition sum_coefficient (n : nat) (a b : nat -> R) (z : R) : Prop :=
  exists (D F : Type) (size : F -> R) plus (d : D -> F -> F) f g, additive size plus d /\
    majorized size d f a /\ majorized size d g b /\ coefficient size d (plus f g) n z.

(** After a linear map of norm [C]. *)
Definition linear_coefficient (n : nat) (C : R) (a : nat -> R) (z : R) : Prop :=
  exists (D F G : Type) (size : F -> R) (size' : G -> R) (d : D -> F -> F) (d' : D -> G -> G) T f,
    (forall u, size' (T u) <= C * size u) /\ (forall h u, d' h (T u) = T (d h u)) /\
    majorized size d f a /\ coefficient size' d' (T f) n z.

(** A bilinear product of norm [C] obeys the product rule. *)
Definition product_coefficient (n : nat) (C : R) (a b : nat -> R) (z : R) : Prop :=
  exists (D F G H : Type) (sF : F -> R) (sG : G -> R) (sH : H -> R) (dF : D -> F -> F)
         (dG : D -> G -> G) (dH : D -> H -> H) plus (B : F -> G -> H) f g,
    additive sH plus dH /\ (forall u, 0 <= sF u) /\ (forall v, 0 <= sG v) /\
    (forall u v, sH (B u v) <= C * (sF u * sG v)) /\
    (forall h u v, dH h (B u v) = plus (B (dF h u) v) (B u (dG h v))) /\
    majorized sF dF f a /\ majorized sG dG g b /\ coefficient sH dH (B f g) n z.

(** [us] with one entry replaced by its derivative, in each place. *)
Fixpoint moved {X : Type} (d : X -> X) (us : list X) : list (list X) :=
  match us with [] => [] | u :: t => (d u :: t) :: map (cons u) (moved d t) end.

(** [G us] is the map [x -> D^j g (f x)] applied to the [j] directions [us]; [G []] is the composition
    itself, and [df h] the derivative of [f] in the direction [h]. The chain rule differentiates the
    place where [D^j g] is taken, and each direction. *)
Definition composition_coefficient (n : nat) (a b : nat -> R) (z : R) : Prop :=
  exists (D X Y : Type) (sX : X -> R) (sY : Y -> R) (dX : D -> X -> X) (dY : D -> Y -> Y) plus
         (df : D -> X) (G : list X -> Y),
    additive sY plus dY /\ (forall u, 0 <= sX u) /\
    (forall us, sY (G us) <= INR (fact (length us)) * b (length us) * fold_right (fun u r => sX u * r) 1 us) /\
    (forall h us, dY h (G us)
       = fold_right (fun vs y => plus (G vs) y) (G (us ++ [df h])) (moved (dX h) us)) /\
    (forall h l, sX (iterate dX l (df h)) <= INR (fact (S (length l))) * a (S (length l))) /\
    coefficient sY dY (G []) n z.

(** The argument multiplied by [c]: each derivative brings a factor [c]. *)
Definition scaled_coefficient (n : nat) (c : R) (a : nat -> R) (z : R) : Prop :=
  exists (D F : Type) (size : F -> R) (d : D -> F -> F) (S : F -> F) (times : F -> F) f,
    (forall u, size (S u) <= size u) /\ (forall u, size (times u) <= c * size u) /\
    (forall h u, d h (S u) = times (S (d h u))) /\ (forall h u, d h (times u) = times (d h u)) /\
    majorized size d f a /\ coefficient size d (S f) n z.

(** ** Random signs: the exact average over all [2^n] sign vectors *)

Definition put (s : nat -> R) (k : nat) (x : R) : nat -> R :=
  fun i => if Nat.eqb i k then x else s i.

Fixpoint average_signs (n : nat) (F : (nat -> R) -> R) : R :=
  match n with
  | O => F (fun _ => 0)
  | S m => (average_signs m (fun s => F (put s (S m) 1))
            + average_signs m (fun s => F (put s (S m) (-1)))) / 2
  end.

(** ** Empirical distance and covers on a sample of size [n] *)

Definition distance (n : nat) (f g : nat -> R) : R :=
  sqrt (sum_range 1 n (fun i => (f i - g i) ^ 2) / INR n).

Definition covers (n : nat) (centres : list (nat -> R)) (F : (nat -> R) -> Prop) (e : R) : Prop :=
  forall f, F f -> exists u, In u centres /\ distance n f u <= e.

(** [r] is the empirical Rademacher average of one way to choose a member of [F] for each sign vector.
    A bound for every such [r] is a bound on the empirical Rademacher complexity. *)
Definition rademacher_value (n : nat) (F : (nat -> R) -> Prop) (r : R) : Prop :=
  exists pick : (nat -> R) -> (nat -> R),
    (forall s, F (pick s)) /\
    r = average_signs n (fun s => sum_range 1 n (fun i => s i * pick s i)) / INR n.

(** The setting of tree chaining: at scale [e j], [1 <= j <= J], the class has a cover whose number of
    centres has logarithm at most [h j]; at [e 0] the zero function alone is a cover. *)
Definition chain_of_covers (n J : nat) (e h : nat -> R) (F : (nat -> R) -> Prop)
    (centres : nat -> list (nat -> R)) : Prop :=
  centres 0%nat = [fun _ => 0] /\
  forall j, (j <= J)%nat -> 0 < e j /\ covers n (centres j) F (e j) /\
    ((1 <= j)%nat -> centres j <> [] /\ ln (INR (length (centres j))) <= h j).

(** [r] is a Rademacher average of a class of radius 1/2 that has such a chain of covers; the scales are
    numbered from 1, [scale 1 = 1/2]. *)
Definition chain_value (n J : nat) (scale H : nat -> R) (r : R) : Prop :=
  (1 <= n)%nat /\ exists F centres,
    chain_of_covers n J (fun j => scale (j + 1)%nat) H F centres /\ rademacher_value n F r.

(** The same with internal covers: the centres belong to the class. *)
Definition internal_chain_value (n J : nat) (scale H : nat -> R) (r : R) : Prop :=
  (1 <= n)%nat /\ exists F centres,
    chain_of_covers n J (fun j => scale (j + 1)%nat) H F centres /\
    (forall j u, (1 <= j <= J)%nat -> In u (centres j) -> F u) /\ rademacher_value n F r.

(** [r] is a Rademacher average of a class whose members have values in [-1/2, 1/2] and which has, at
    every scale [e], a cover (with centres in [F] if [internal]) with entropy at most [H e]; [integral]
    is the integral of [sqrt H] from [cut] to 1/4. *)
Definition class_with_entropy (internal : Prop) (n : nat) (H : R -> R) (F : (nat -> R) -> Prop) : Prop :=
  (forall f, F f -> distance n f (fun _ => 0) <= 1 / 2) /\
  (forall x y, 0 < x <= y -> H y <= H x) /\
  (forall e, 0 < e -> exists centres, centres <> [] /\ covers n centres F e /\
     ln (INR (length centres)) <= H e /\ (internal -> forall u, In u centres -> F u)).

Definition dudley_value (n : nat) (cut integral r : R) : Prop :=
  (1 <= n)%nat /\ exists H F, class_with_entropy False n H F /\
    ex_RInt (fun e => sqrt (H e)) cut (1 / 4) /\ integral = RInt (fun e => sqrt (H e)) cut (1 / 4) /\
    rademacher_value n F r.

Definition internal_dudley_value (n : nat) (cut integral r : R) : Prop :=
  (1 <= n)%nat /\ exists H F, class_with_entropy True n H F /\
    ex_RInt (fun e => sqrt (H e)) cut (1 / 4) /\ integral = RInt (fun e => sqrt (H e)) cut (1 / 4) /\
    rademacher_value n F r.

(** [r] is the average, over sign vectors, of the largest correlation with one of at most [exp h]
    vectors of root mean square at most [radius]. *)
Definition massart_value (n : nat) (h radius r : R) : Prop :=
  (1 <= n)%nat /\ exists l : list (nat -> R), l <> [] /\ ln (INR (length l)) <= h /\
    (forall a, In a l -> distance n a (fun _ => 0) <= radius) /\ rademacher_value n (fun f => In f l) r.

(** ** Samples of size [n] from a law [p] on the examples [1, ..., m] *)

Fixpoint sample_mean (m : nat) (p : nat -> R) (n : nat) (F : list nat -> R) : R :=
  match n with
  | O => F []
  | S k => sum_range 1 m (fun z => p z * sample_mean m p k (fun s => F (z :: s)))
  end.

Definition sample_probability (m : nat) (p : nat -> R) (n : nat) (event : list nat -> Prop) (P : R) :=
  exists indicator : list nat -> R,
    (forall s, (event s -> indicator s = 1) /\ (~ event s -> indicator s = 0)) /\
    P = sample_mean m p n indicator.

Definition risk (m : nat) (p loss : nat -> R) : R := mean m p loss.

Fixpoint total_loss (loss : nat -> R) (s : list nat) : R :=
  match s with [] => 0 | z :: t => loss z + total_loss loss t end.

Definition empirical_risk (loss : nat -> R) (s : list nat) : R :=
  total_loss loss s / INR (length s).

(** ** The binary relative entropy and its inverse, for [0 <= q <= 1] and [0 < r < 1] *)

Definition kl (q r : R) : R := q * ln (q / r) + (1 - q) * ln ((1 - q) / (1 - r)).

(** [is_kl_inverse q c x]: [x = sup { r in [q,1) : kl q r <= c }], for [0 <= q < 1]. *)
Definition is_kl_inverse (q c x : R) : Prop := is_lub (fun r => q <= r < 1 /\ kl q r <= c) x.

(** [R > kl^{-1}(q, c)], without the supremum (see [KL.exceeds_inverse]). *)
Definition exceeds (q c R : R) : Prop := q < R /\ (R < 1 -> c < kl q R).

(** [P] is the probability that one of at most [exp h] listed losses, with values in [0,1], has a risk
    that exceeds the [kl] inverse, at level [c], of its mean over [n] independent examples. *)
Definition list_failure (n : nat) (h c P : R) : Prop :=
  (1 <= n)%nat /\ exists (m : nat) (p : nat -> R) (losses : list (nat -> R)),
    law m p /\ losses <> [] /\ ln (INR (length losses)) <= h /\
    (forall loss, In loss losses -> forall z, (1 <= z <= m)%nat -> 0 <= loss z <= 1) /\
    sample_probability m p n
      (fun s => exists loss, In loss losses /\ exceeds (empirical_risk loss s) c (risk m p loss)) P.

(** ** Activations *)

Definition sigmoid (x : R) : R := / (1 + exp (- x)).
Definition silu' (x : R) : R := sigmoid x + x * (sigmoid x * (1 - sigmoid x)).

Definition gauss (x : R) : R := exp (- (x ^ 2 / 2)) / sqrt (2 * PI).
Definition Phi (x : R) : R := 1 / 2 + RInt gauss 0 x.
Definition gelu' (x : R) : R := Phi x + x * gauss x.

(** [z] is the absolute value of the slope somewhere. *)
Definition silu_slope (z : R) : Prop := exists x, z = Rabs (silu' x).
Definition gelu_slope (z : R) : Prop := exists x, z = Rabs (gelu' x).
