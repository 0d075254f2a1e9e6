(** * G4: the entropy integral in closed form, and G2: Dudley's integral from the dyadic tree.

    [eps^(-p/2)] is unbounded at 0: the integrals start at any [a > 0] and the bounds do not depend on it. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Majorant Require Import Definitions Sums Powers.
From Majorant Require Statements.
Open Scope R_scope.

Lemma RInt_of_primitive f F a b : a <= b ->
  (forall x, a <= x <= b -> is_derive F x (f x)) -> (forall x, a <= x <= b -> continuous f x) ->
  is_RInt f a b (F b - F a).
Proof.
  intros Hab D C. apply (is_RInt_derive F f).
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by assumption. now apply D.
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by assumption. now apply C.
Qed.

Section one_term.
Variables (A B o p a c : R).
Hypotheses (HA : 0 <= A) (HB : 0 <= B) (Ho : 0 <= o) (Hp0 : 0 <= p) (Hp2 : p < 2) (Ha : 0 < a) (Hac : a <= c).

Let q := 1 - p / 2.
Let K := ln (1 + B / c) + o.

Lemma q_range : 0 < q <= 1.
Proof. unfold q. lra. Qed.

(** [log (1 + B/eps) <= log (1 + B/c) + log (c/eps)] for [eps <= c]. *)
Lemma log_split x : 0 < x <= c -> ln (1 + B / x) + o <= K + ln (c / x).
Proof.
  intros Hx. unfold K.
  assert (ln (1 + B / x) <= ln (1 + B / c) + ln (c / x)); [|lra]. rewrite <- ln_mult.
  - apply ln_le.
    + assert (0 <= B / x) by (apply div_nonneg; lra). lra.
    + replace ((1 + B / c) * (c / x)) with (c / x + B / x) by (field; lra).
      assert (1 <= c / x) by (apply le_div_r; lra). lra.
  - assert (0 <= B / c) by (apply div_nonneg; lra). lra.
  - apply Rdiv_lt_0_compat; lra.
Qed.

Lemma K_nonneg : 0 <= K.
Proof.
  unfold K. assert (0 <= B / c) by (apply div_nonneg; lra).
  assert (0 <= ln (1 + B / c)) by (apply ln_nonneg; lra). lra.
Qed.

Let M := K + / q.
Let s := sqrt M.

Lemma M_pos : 0 < M.
Proof.
  unfold M. pose proof K_nonneg. pose proof q_range.
  assert (0 < / q) by (apply Rinv_0_lt_compat; lra). lra.
Qed.

Lemma s_facts : 0 < s /\ s * s = M.
Proof. pose proof M_pos. split; [now apply sqrt_lt_R0 | apply sqrt_sqrt; lra]. Qed.

(** The majorant [sqrt A x^(q-1) ((K + log (c/x)) / s + s) / 2] and its primitive. *)
Let f x := sqrt A * (exp ((q - 1) * ln x) * ((K + (ln c - ln x)) / s + s) / 2).
Let F x := sqrt A * (exp (q * ln x) * (((K + (ln c - ln x)) / q + / q / q) / s + s / q) / 2).

Lemma integrand_below x : a <= x <= c -> sqrt (A * Rpower x (- p) * (ln (1 + B / x) + o)) <= f x.
Proof.
  intros Hx. pose proof s_facts as [Hs _]. pose proof (log_split x ltac:(lra)) as L. rewrite ln_div in L by lra.
  assert (L0 : 0 <= ln (1 + B / x)).
  { apply ln_nonneg. assert (0 <= B / x) by (apply div_nonneg; lra). lra. }
  pose proof (Rpower_pos x (- p)) as P.
  rewrite Rmult_assoc, sqrt_mult by (try apply Rmult_le_pos; lra). unfold f.
  apply Rmult_le_compat_l; [apply sqrt_pos|]. rewrite sqrt_mult by lra.
  replace (sqrt (Rpower x (- p))) with (exp ((q - 1) * ln x)).
  - unfold Rdiv at 2. rewrite Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos|].
    eapply Rle_trans; [apply (sqrt_le_weighted _ s); lra|].
    assert ((ln (1 + B / x) + o) / s <= (K + (ln c - ln x)) / s) by (apply div_le_compat; lra). unfold Rdiv in *. lra.
  - rewrite <- Rpower_sqrt by assumption. rewrite Rpower_mult. unfold Rpower. f_equal. unfold q. field.
Qed.

Lemma primitive x : a <= x <= c -> is_derive F x (f x).
Proof.
  intros Hx. pose proof s_facts as [Hs _]. pose proof q_range as Hq. unfold F, f.
  replace ((q - 1) * ln x) with (q * ln x + - ln x) by ring. rewrite exp_plus, exp_Ropp, exp_ln by lra.
  auto_derive; [lra | field; lra].
Qed.

Lemma f_continuous x : a <= x <= c -> continuous f x.
Proof.
  intros Hx. pose proof s_facts as [Hs _]. apply (ex_derive_continuous f). unfold f. auto_derive. lra.
Qed.

Lemma majorant_integral : is_RInt f a c (F c - F a).
Proof. apply RInt_of_primitive; [assumption | apply primitive | apply f_continuous]. Qed.

Lemma primitive_end : F c = sqrt A * (Rpower c q / q) * s.
Proof.
  pose proof s_facts as [Hs E]. pose proof q_range as Hq. unfold F. fold (Rpower c q).
  replace (K + (ln c - ln c)) with K by ring.
  replace (K / q + / q / q) with (M / q) by (unfold M; field; lra). rewrite <- E. field. lra.
Qed.

Lemma primitive_start : 0 <= F a.
Proof.
  pose proof s_facts as [Hs _]. pose proof q_range as Hq. pose proof K_nonneg as HK. unfold F.
  assert (ln a <= ln c) by (apply ln_le; lra).
  assert (0 < / q) by (apply Rinv_0_lt_compat; lra).
  apply Rmult_le_pos; [apply sqrt_pos|]. apply div_nonneg; [|lra].
  apply Rmult_le_pos; [left; apply exp_pos|]. apply Rplus_le_le_0_compat.
  - apply div_nonneg; [|assumption]. apply Rplus_le_le_0_compat; apply div_nonneg; lra.
  - apply div_nonneg; lra.
Qed.

Lemma integrand_continuous x : a <= x <= c -> continuous (fun x => sqrt (A * Rpower x (- p) * (ln (1 + B / x) + o))) x.
Proof.
  intros Hx. apply continuous_comp.
  - apply (ex_derive_continuous (fun x => A * Rpower x (- p) * (ln (1 + B / x) + o))). unfold Rpower.
    assert (0 <= B / x) by (apply div_nonneg; lra). auto_derive. repeat split; lra.
  - apply continuity_pt_filterlim, continuity_pt_sqrt. assert (0 <= ln (1 + B / x)).
    { apply ln_nonneg. assert (0 <= B / x) by (apply div_nonneg; lra). lra. }
    pose proof (Rpower_pos x (- p)). apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra].
Qed.

Lemma integrable : ex_RInt (fun x => sqrt (A * Rpower x (- p) * (ln (1 + B / x) + o))) a c.
Proof. apply (@ex_RInt_continuous R_CompleteNormedModule). intros x Hx. rewrite Rmin_left, Rmax_right in Hx by assumption. now apply integrand_continuous. Qed.

Theorem one_term_integral :
  RInt (fun x => sqrt (A * Rpower x (- p) * (ln (1 + B / x) + o))) a c
  <= sqrt A * (Rpower c (1 - p / 2) / (1 - p / 2)) * sqrt (ln (1 + B / c) + o + / (1 - p / 2)).
Proof.
  fold q. fold K. fold M. fold s. rewrite <- primitive_end.
  apply Rle_trans with (F c - F a); [|pose proof primitive_start; lra].
  rewrite <- (is_RInt_unique _ _ _ _ majorant_integral).
  apply RInt_le; [assumption | apply integrable | eexists; apply majorant_integral |].
  intros x Hx. apply integrand_below. lra.
Qed.
End one_term.

(** ** The sum of terms *)

Lemma sqrt_sum_le n (t : nat -> R) : (forall k, (1 <= k <= n)%nat -> 0 <= t k) ->
  sqrt (sum_range 1 n t) <= sum_range 1 n (fun k => sqrt (t k)).
Proof.
  induction n as [|n IH]; intros Ht; [rewrite !sum_0, sqrt_0; lra|]. rewrite !sum_1.
  assert (A : 0 <= sum_range 1 n t) by (apply sum_nonneg; intros; apply Ht; lia).
  assert (B : 0 <= t (S n)) by (apply Ht; lia).
  specialize (IH ltac:(intros; apply Ht; lia)).
  apply Rle_trans with (sqrt (sum_range 1 n t) + sqrt (t (S n))); [|lra].
  pose proof (sqrt_pos (sum_range 1 n t)). pose proof (sqrt_pos (t (S n))).
  apply sqrt_le_of_square; [lra|].
  pose proof (sqrt_sqrt _ A). pose proof (sqrt_sqrt _ B). nra.
Qed.

Lemma RInt_sum n (f : nat -> R -> R) a c : (forall k, (1 <= k <= n)%nat -> ex_RInt (f k) a c) ->
  is_RInt (fun x => sum_range 1 n (fun k => f k x)) a c (sum_range 1 n (fun k => RInt (f k) a c)).
Proof.
  induction n as [|n IH]; intros Hf.
  - rewrite sum_0. apply (is_RInt_ext (fun _ => 0)); [intros; now rewrite sum_0|].
    pose proof (@is_RInt_const R_NormedModule a c 0) as Z.
    unfold scal in Z. simpl in Z. unfold mult in Z. simpl in Z. rewrite Rmult_0_r in Z. exact Z.
  - rewrite sum_1. apply (is_RInt_ext (fun x => plus (sum_range 1 n (fun k => f k x)) (f (S n) x))).
    + intros x _. now rewrite sum_1.
    + apply (@is_RInt_plus R_NormedModule (fun x => sum_range 1 n (fun k => f k x)) (f (S n))).
      * apply IH. intros. apply Hf. lia.
      * apply (@RInt_correct R_CompleteNormedModule). apply Hf. lia.
Qed.

Theorem entropy_integral (m : nat) (A B o p : nat -> R) (H : R -> R) (a c : R) :
  0 < a -> a <= c ->
  (forall k, (1 <= k <= m)%nat -> 0 <= A k /\ 0 <= B k /\ 0 <= o k /\ 0 <= p k < 2) ->
  ex_RInt (fun x => sqrt (H x)) a c ->
  (forall x, a <= x <= c -> H x <= sum_range 1 m (fun k => A k * Rpower x (- p k) * (ln (1 + B k / x) + o k))) ->
  RInt (fun x => sqrt (H x)) a c
  <= sum_range 1 m (fun k => sqrt (A k) * (Rpower c (1 - p k / 2) / (1 - p k / 2))
                             * sqrt (ln (1 + B k / c) + o k + / (1 - p k / 2))).
Proof.
  intros Ha Hac Hk Hex HH.
  set (g := fun k x => sqrt (A k * Rpower x (- p k) * (ln (1 + B k / x) + o k))).
  assert (G : is_RInt (fun x => sum_range 1 m (fun k => g k x)) a c (sum_range 1 m (fun k => RInt (g k) a c))).
  { apply RInt_sum. intros k Hk1. destruct (Hk k Hk1) as [A0 [B0 [O0 P0]]]. apply integrable; lra. }
  apply Rle_trans with (sum_range 1 m (fun k => RInt (g k) a c)).
  - rewrite <- (is_RInt_unique _ _ _ _ G). apply RInt_le; [assumption | assumption | eexists; exact G |].
    intros x Hx. eapply Rle_trans; [apply sqrt_le_1_alt, (HH x); lra|].
    apply (sqrt_sum_le m (fun k => A k * Rpower x (- p k) * (ln (1 + B k / x) + o k))). intros k Hk1.
    destruct (Hk k Hk1) as [A0 [B0 [O0 P0]]].
    assert (0 <= ln (1 + B k / x)).
    { apply ln_nonneg. assert (0 <= B k / x) by (apply div_nonneg; lra). lra. }
    pose proof (Rpower_pos x (- p k)). apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra].
  - apply sum_le. intros k Hk1. destruct (Hk k Hk1) as [A0 [B0 [O0 P0]]]. apply one_term_integral; lra.
Qed.

(** ** The statements *)

Theorem G4 : Statements.G4.
Proof.
  intros A B c a o p HA HB Hc Ha Ho Hp Hp2 Hac.
  assert (H : RInt (fun x => sqrt (A * Rpower x (- p) * (ln (1 + B / x) + o))) a c
    <= sqrt A * (Rpower c (1 - p / 2) / (1 - p / 2)) * sqrt (ln (1 + B / c) + o + / (1 - p / 2)))
    by (apply one_term_integral; lra).
  rewrite (RInt_ext (fun x => sqrt (A * Rpower x (- p) * (ln (1 + B / x) + o)))
    (fun x => sqrt A * Rpower x (- (p / 2)) * sqrt (o + ln (1 + B / x)))) in H.
  - eapply Rle_trans; [exact H|]. right.
    replace (ln (1 + B / c) + o + / (1 - p / 2)) with (o + 1 / (1 - p / 2) + ln (1 + B / c)) by (field; lra).
    field. lra.
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by lra.
    assert (0 <= ln (1 + B / x)).
    { apply ln_nonneg. assert (0 <= B / x) by (apply div_nonneg; lra). lra. }
    pose proof (Rpower_pos x (- p)).
    rewrite !sqrt_mult by (try apply Rmult_le_pos; lra). rewrite (Rplus_comm o).
    do 2 f_equal. rewrite <- Rpower_sqrt by assumption. rewrite Rpower_mult. f_equal. field.
Qed.

Theorem G4_logarithm : Statements.G4_logarithm.
Proof.
  intros B c x HB Hc Hx Hxc. assert (0 <= B / x) by (apply div_nonneg; lra).
  assert (0 <= B / c) by (apply div_nonneg; lra).
  rewrite <- ln_mult by (try apply Rdiv_lt_0_compat; lra). apply ln_le; [lra|].
  replace (c / x * (1 + B / c)) with (c / x + B / x) by (field; lra).
  assert (1 <= c / x) by (apply le_div_r; lra). lra.
Qed.

Theorem G4_roots_add : Statements.G4_roots_add.
Proof.
  intros x y Hx Hy. pose proof (sqrt_pos x). pose proof (sqrt_pos y). apply sqrt_le_of_square; [lra|].
  pose proof (sqrt_sqrt x ltac:(lra)). pose proof (sqrt_sqrt y ltac:(lra)). nra.
Qed.

Theorem G4_jensen : Statements.G4_jensen.
Proof.
  intros x y Hx _ Hy. assert (P : 0 < sqrt y) by (now apply sqrt_lt_R0).
  pose proof (sqrt_le_weighted x (sqrt y) ltac:(lra) P) as H.
  assert (S : sqrt y * sqrt y = y) by (apply sqrt_sqrt; lra).
  replace ((x + y) / (2 * sqrt y)) with ((x / sqrt y + sqrt y) / 2); [exact H|].
  rewrite <- S at 3. field. lra.
Qed.

Theorem G4_square_root : Statements.G4_square_root.
Proof.
  intros A c e HA Hc He. assert (0 <= sqrt A / e) by (apply div_nonneg; [apply sqrt_pos | lra]).
  pose proof (sqrt_pos c). apply sqrt_le_of_square; [lra|].
  pose proof (pow2_sqrt A ltac:(lra)) as EA. pose proof (pow2_sqrt c ltac:(lra)) as EC.
  replace (A / e ^ 2) with ((sqrt A / e) ^ 2) by (rewrite <- EA at 2; field; lra). nra.
Qed.
