(** * G3: chaining on a tree, with Massart's lemma over finite sign vectors. *)

From Coq Require Import Reals List Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers Laws Calculus.
From Majorant Require Statements.
Import ListNotations.
Open Scope R_scope.

(** ** The average over signs is a positive linear functional *)

Lemma put_same s n x : put s n x n = x.
Proof. unfold put. now rewrite Nat.eqb_refl. Qed.

Lemma put_other s n x i : i <> n -> put s n x i = s i.
Proof. intros H. unfold put. apply Nat.eqb_neq in H. now rewrite H. Qed.

Definition signs n (s : nat -> R) : Prop := forall i, (1 <= i <= n)%nat -> s i = 1 \/ s i = -1.

Lemma signs_put n s x : x = 1 \/ x = -1 -> signs n s -> signs (S n) (put s (S n) x).
Proof.
  intros Hx Hs i Hi. destruct (Nat.eq_dec i (S n)) as [->|E].
  - now rewrite put_same.
  - rewrite put_other by assumption. apply Hs. lia.
Qed.

Lemma average_le n F G : (forall s, signs n s -> F s <= G s) -> average_signs n F <= average_signs n G.
Proof.
  revert F G. induction n as [|n IH]; intros F G H; cbn [average_signs].
  - apply H. intros i Hi. lia.
  - pose proof (IH (fun s => F (put s (S n) 1)) (fun s => G (put s (S n) 1))
      ltac:(intros; apply H, signs_put; auto)) as A.
    pose proof (IH (fun s => F (put s (S n) (-1))) (fun s => G (put s (S n) (-1)))
      ltac:(intros; apply H, signs_put; auto)) as B. lra.
Qed.

Lemma average_ext n F G : (forall s, signs n s -> F s = G s) -> average_signs n F = average_signs n G.
Proof. intros H. apply Rle_antisym; apply average_le; intros; rewrite H by assumption; lra. Qed.

Lemma average_plus n F G : average_signs n (fun s => F s + G s) = average_signs n F + average_signs n G.
Proof.
  revert F G. induction n as [|n IH]; intros F G; cbn [average_signs]; [reflexivity|].
  rewrite (IH (fun s => F (put s (S n) 1)) (fun s => G (put s (S n) 1))).
  rewrite (IH (fun s => F (put s (S n) (-1))) (fun s => G (put s (S n) (-1)))). lra.
Qed.

Lemma average_scal n c F : average_signs n (fun s => c * F s) = c * average_signs n F.
Proof.
  revert F. induction n as [|n IH]; intros F; cbn [average_signs]; [reflexivity|].
  rewrite (IH (fun s => F (put s (S n) 1))), (IH (fun s => F (put s (S n) (-1)))). lra.
Qed.

Lemma average_const n c : average_signs n (fun _ => c) = c.
Proof. induction n as [|n IH]; cbn [average_signs]; [reflexivity | rewrite IH; lra]. Qed.

Lemma average_sum n a b (F : nat -> (nat -> R) -> R) :
  average_signs n (fun s => sum_range a b (fun j => F j s)) = sum_range a b (fun j => average_signs n (F j)).
Proof.
  unfold sum_range. induction (indices a b) as [|i l IH]; simpl; [apply average_const|].
  rewrite (average_plus n (F i)), IH. reflexivity.
Qed.

(** ** Massart's lemma *)

Definition correlation n (s a : nat -> R) : R := sum_range 1 n (fun i => s i * a i).

Lemma generating_signs n t a :
  average_signs n (fun s => exp (t * correlation n s a)) <= exp (t ^ 2 * sum_range 1 n (fun i => a i ^ 2) / 2).
Proof.
  induction n as [|n IH]; cbn [average_signs].
  - unfold correlation. rewrite !sum_0. right. f_equal. field.
  - assert (Split : forall x, average_signs n (fun s => exp (t * correlation (S n) (put s (S n) x) a))
      = exp (x * (t * a (S n))) * average_signs n (fun s => exp (t * correlation n s a))).
    { intros x. rewrite <- average_scal. apply average_ext. intros s _. rewrite <- exp_plus. f_equal.
      unfold correlation. rewrite sum_1, put_same.
      rewrite (sum_ext 1 n (fun i => put s (S n) x i * a i) (fun i => s i * a i)); [ring|].
      intros i Hi. rewrite put_other by lia. reflexivity. }
    rewrite !Split, sum_1.
    set (A := average_signs n _) in *. set (V := sum_range 1 n _) in *. set (y := t * a (S n)).
    assert (A0 : 0 <= A).
    { unfold A. rewrite <- (average_const n 0). apply average_le. intros. left. apply exp_pos. }
    replace (t ^ 2 * (V + a (S n) ^ 2) / 2) with (y ^ 2 / 2 + t ^ 2 * V / 2) by (unfold y; field).
    rewrite exp_plus. replace (1 * y) with y by ring. replace (-1 * y) with (- y) by ring.
    replace ((exp y * A + exp (- y) * A) / 2) with ((exp y + exp (- y)) / 2 * A) by field.
    apply Rmult_le_compat; try assumption.
    + pose proof (exp_pos y). pose proof (exp_pos (- y)). lra.
    + apply cosh_bound.
Qed.

(** The largest correlation with a member of a list. *)
Definition best n (l : list (nat -> R)) (s : nat -> R) : R :=
  fold_right (fun a rest => Rmax (correlation n s a) rest) (correlation n s (hd (fun _ => 0) l)) l.

Lemma best_above n l s a : In a l -> correlation n s a <= best n l s.
Proof.
  unfold best. generalize (correlation n s (hd (fun _ => 0) l)). intros z.
  induction l as [|b l IH]; simpl; [contradiction|]. intros [<-|H]; [apply Rmax_l|].
  eapply Rle_trans; [now apply IH | apply Rmax_r].
Qed.

Lemma best_attained n l s : l <> [] -> exists a, In a l /\ best n l s = correlation n s a.
Proof.
  intros Hl. unfold best. destruct l as [|b l]; [contradiction|]. simpl hd. clear Hl.
  assert (H : forall k, (forall a, In a k -> In a (b :: l)) ->
    exists a, In a (b :: l) /\ fold_right (fun a rest => Rmax (correlation n s a) rest) (correlation n s b) k
      = correlation n s a).
  { induction k as [|c k IH]; intros Hk; simpl; [exists b; split; [now left | reflexivity]|].
    destruct IH as [a [Ha E]]; [intros; apply Hk; now right|].
    unfold Rmax. destruct (Rle_dec _ _); [exists a; now split|]. exists c. split; [apply Hk; now left | reflexivity]. }
  now apply H.
Qed.

Definition list_sum {A} (f : A -> R) (l : list A) : R := fold_right (fun a rest => f a + rest) 0 l.

Lemma list_sum_term {A} (f : A -> R) l a : (forall b, 0 <= f b) -> In a l -> f a <= list_sum f l.
Proof.
  intros Hf. induction l as [|b l IH]; simpl; [contradiction|].
  assert (0 <= list_sum f l) by (clear IH; induction l as [|c l IH2]; simpl; [lra|]; pose proof (Hf c); lra).
  pose proof (Hf b). intros [<-|H1]; [lra|]. specialize (IH H1). lra.
Qed.

Lemma optimal_weight m h v : 0 <= h -> 0 <= v -> (forall t, 0 < t -> t * m <= h + t ^ 2 * v / 2) ->
  m <= sqrt (2 * h * v).
Proof.
  intros Hh Hv H. destruct (Rle_dec m 0) as [Hm|Hm]; [pose proof (sqrt_pos (2 * h * v)); lra|].
  apply Rnot_le_lt in Hm. apply le_sqrt_of_square. destruct Hv as [Hv|<-].
  - pose proof (H (m / v) (Rdiv_lt_0_compat _ _ Hm Hv)) as K.
    replace (m / v * m) with (m ^ 2 / v) in K by (field; lra).
    replace ((m / v) ^ 2 * v / 2) with (m ^ 2 / v / 2) in K by (field; lra).
    assert (m ^ 2 / v <= 2 * h) by lra. apply Rmult_le_compat_r with (r := v) in H0; [|lra].
    unfold Rdiv in H0. rewrite Rmult_assoc, Rinv_l in H0; lra.
  - pose proof (H ((h + 1) / m) ltac:(apply Rdiv_lt_0_compat; lra)) as K.
    replace ((h + 1) / m * m) with (h + 1) in K by (field; lra). lra.
Qed.

Theorem massart n l v h : l <> [] -> ln (INR (length l)) <= h -> 0 <= v ->
  (forall a, In a l -> sum_range 1 n (fun i => a i ^ 2) <= v) ->
  average_signs n (best n l) <= sqrt (2 * h * v).
Proof.
  intros Hl Hh Hv Ha. set (m := average_signs n (best n l)).
  assert (Len : 1 <= INR (length l)).
  { change 1 with (INR 1). apply le_INR. destruct l; [contradiction | simpl; lia]. }
  assert (H0 : 0 <= h) by (pose proof (ln_nonneg _ Len); lra).
  apply optimal_weight; [assumption | assumption |]. intros t Ht.
  (* Jensen: exp (t m) <= E exp (t best) *)
  assert (J : exp (t * m) <= average_signs n (fun s => exp (t * best n l s))).
  { apply Rle_trans with (average_signs n (fun s => exp (t * m) * (1 - t * m) + exp (t * m) * t * best n l s)).
    - rewrite (average_plus n (fun _ => exp (t * m) * (1 - t * m))), (average_const n), (average_scal n _ (best n l)).
      fold m. right. ring.
    - apply average_le. intros s _. pose proof (exp_ge_tangent (t * best n l s - t * m)) as T.
      replace (exp (t * best n l s)) with (exp (t * m) * exp (t * best n l s - t * m))
        by (rewrite <- exp_plus; f_equal; ring).
      pose proof (exp_pos (t * m)). nra. }
  assert (U : average_signs n (fun s => exp (t * best n l s)) <= INR (length l) * exp (t ^ 2 * v / 2)).
  { apply Rle_trans with (average_signs n (fun s => list_sum (fun a => exp (t * correlation n s a)) l)).
    - apply average_le. intros s _. destruct (best_attained n l s Hl) as [a [Hin ->]].
      apply (list_sum_term (fun a => exp (t * correlation n s a))); [intros; left; apply exp_pos | assumption].
    - clear J Hl Hh Len m. induction l as [|a l IH]; simpl list_sum.
      + rewrite average_const. simpl. lra.
      + rewrite average_plus. simpl length. rewrite S_INR.
        assert (A : average_signs n (fun s => exp (t * correlation n s a)) <= exp (t ^ 2 * v / 2)).
        { eapply Rle_trans; [apply generating_signs|]. apply exp_le.
          pose proof (Ha a ltac:(now left)). pose proof (pow2_ge_0 t). nra. }
        specialize (IH ltac:(intros; apply Ha; now right)). lra. }
  assert (K : t * m <= ln (INR (length l) * exp (t ^ 2 * v / 2))).
  { rewrite <- (ln_exp (t * m)). apply ln_le; [apply exp_pos | lra]. }
  rewrite ln_mult, ln_exp in K by (try apply exp_pos; lra). lra.
Qed.

(** ** The empirical distance *)

Section sample.
Variable n : nat.
Hypothesis (Hn : (1 <= n)%nat).

Let Pn : 0 < INR n.
Proof. apply lt_0_INR. lia. Qed.

Lemma distance_sq f g : distance n f g ^ 2 = sum_range 1 n (fun i => (f i - g i) ^ 2) / INR n.
Proof. unfold distance. apply pow2_sqrt, div_nonneg; [apply sum_nonneg; intros; apply pow2_ge_0 | exact Pn]. Qed.

Lemma distance_nonneg f g : 0 <= distance n f g.
Proof. apply sqrt_pos. Qed.

Lemma sum_of_distance f g : sum_range 1 n (fun i => (f i - g i) ^ 2) = INR n * distance n f g ^ 2.
Proof. rewrite distance_sq. field. apply Rgt_not_eq. exact Pn. Qed.

Lemma distance_triangle f g h : distance n f h <= distance n f g + distance n g h.
Proof.
  pose proof (distance_nonneg f g) as A. pose proof (distance_nonneg g h) as B.
  unfold distance at 1. apply sqrt_le_of_square; [lra|]. apply div_le_l; [exact Pn|].
  replace (sum_range 1 n (fun i => (f i - h i) ^ 2)) with (sum_range 1 n (fun i => (f i - g i) ^ 2)
    + 2 * sum_range 1 n (fun i => (f i - g i) * (g i - h i)) + sum_range 1 n (fun i => (g i - h i) ^ 2)).
  - rewrite !sum_of_distance.
    assert (C : sum_range 1 n (fun i => (f i - g i) * (g i - h i)) <= INR n * (distance n f g * distance n g h)).
    { pose proof (cauchy_schwarz 1 n (fun i => f i - g i) (fun i => g i - h i)) as CS. cbv beta in CS.
      rewrite !sum_of_distance in CS. set (X := sum_range 1 n _) in *.
      apply Rle_trans with (Rabs X); [apply RRle_abs|]. apply Rsqr_incr_0_var.
      - unfold Rsqr. rewrite <- Rabs_mult. rewrite (Rabs_pos_eq (X * X)) by apply Rle_0_sqr. nra.
      - apply Rmult_le_pos; [left; exact Pn | now apply Rmult_le_pos]. }
    nra.
  - rewrite <- sum_scal, <- !sum_plus. apply sum_ext. intros. ring.
Qed.

Lemma distance_symmetric f g : distance n f g = distance n g f.
Proof. unfold distance. do 2 f_equal. apply sum_ext. intros. ring. Qed.

Lemma correlation_residual s f u e : signs n s -> distance n f u <= e -> 0 <= e ->
  correlation n s f - correlation n s u <= INR n * e.
Proof.
  intros Hs Hd He. unfold correlation. rewrite <- sum_minus.
  rewrite (sum_ext 1 n _ (fun i => s i * (f i - u i))) by (intros; ring).
  pose proof (cauchy_schwarz 1 n s (fun i => f i - u i)) as CS. cbv beta in CS. rewrite sum_of_distance in CS.
  assert (S2 : sum_range 1 n (fun i => s i ^ 2) = INR n).
  { rewrite (sum_ext 1 n _ (fun _ => 1)); [rewrite sum_const; replace (S n - 1)%nat with n by lia; ring|].
    intros i Hi. destruct (Hs i Hi) as [-> | ->]; ring. }
  rewrite S2 in CS. set (X := sum_range 1 n _) in *.
  apply Rle_trans with (Rabs X); [apply RRle_abs|]. apply Rsqr_incr_0_var; [|nra].
  unfold Rsqr. rewrite <- Rabs_mult, (Rabs_pos_eq (X * X)) by apply Rle_0_sqr.
  pose proof (distance_nonneg f u). assert (distance n f u ^ 2 <= e ^ 2) by (apply pow_incr; lra).
  assert (INR n * distance n f u ^ 2 <= INR n * e ^ 2) by (apply Rmult_le_compat_l; lra). nra.
Qed.

(** ** The tree *)

Section tree.
Variables (F : (nat -> R) -> Prop) (J : nat) (e h d : nat -> R) (centres : nat -> list (nat -> R)).
Hypothesis (Root : centres 0%nat = [fun _ => 0]).
Hypothesis (He : forall j, (j <= J)%nat -> 0 < e j).
Hypothesis (Cover : covers n (centres J) F (e J)).
Hypothesis (Size : forall j, (1 <= j <= J)%nat -> ln (INR (length (centres j))) <= h j).
Hypothesis (Hd : forall j, (1 <= j <= J)%nat -> 0 <= d j).

(** A centre is useful if it serves a member of the class. *)
Let useful j u := In u (centres j) /\ exists g, F g /\ distance n g u <= e j.
Hypothesis (Parent : forall j u, (1 <= j <= J)%nat -> useful j u ->
  exists v, useful (j - 1) v /\ distance n u v <= d j).

(** One link for each useful centre: at most as many links as centres. *)
Lemma links j : (1 <= j <= J)%nat -> exists l : list (nat -> R),
  (length l <= length (centres j))%nat /\
  (forall a, In a l -> sum_range 1 n (fun i => a i ^ 2) <= INR n * d j ^ 2) /\
  (forall u, useful j u -> exists v, useful (j - 1) v /\ In (fun i => u i - v i) l).
Proof.
  intros Hj.
  assert (H : forall k, (forall u, In u k -> In u (centres j)) -> exists l : list (nat -> R),
    (length l <= length k)%nat /\
    (forall a, In a l -> sum_range 1 n (fun i => a i ^ 2) <= INR n * d j ^ 2) /\
    (forall u, In u k -> useful j u -> exists v, useful (j - 1) v /\ In (fun i => u i - v i) l)).
  { induction k as [|u k IH]; intros Hk.
    - exists []. split; [simpl; lia|]. split; intros x Hx; destruct Hx.
    - destruct IH as [l [Hl [Hn2 Hs]]]; [intros; apply Hk; now right|].
      destruct (Classical_Prop.classic (useful j u)) as [U|NU].
      + destruct (Parent j u Hj U) as [v [Hv Dv]]. exists ((fun i => u i - v i) :: l).
        split; [simpl; lia|]. split.
        * intros a [<-|Ha]; [|now apply Hn2]. rewrite sum_of_distance.
          apply Rmult_le_compat_l; [left; exact Pn|]. apply pow_incr. split; [apply distance_nonneg | assumption].
        * intros w [<-|Hw] Uw; [exists v; split; [assumption | now left]|].
          destruct (Hs w Hw Uw) as [v2 [A B]]. exists v2. split; [assumption | now right].
      + exists l. split; [simpl; lia|]. split; [assumption|].
        intros w [<-|Hw] Uw; [contradiction | now apply Hs]. }
  destruct (H (centres j) ltac:(auto)) as [l [A [B C]]]. exists l. split; [assumption|]. split; [assumption|].
  intros u U. apply C; [apply U | assumption].
Qed.

(** Along the tree, the correlation with a useful centre is a sum of correlations with links. *)
Lemma chain K : (K <= J)%nat -> (exists u, useful K u) -> exists B : (nat -> R) -> R,
  (forall s u, useful K u -> correlation n s u <= B s) /\
  average_signs n B <= sum_range 1 K (fun j => sqrt (2 * h j * (INR n * d j ^ 2))).
Proof.
  induction K as [|K IH]; intros HK [u0 U0].
  - exists (fun _ => 0). split.
    + intros s u [Hu _]. rewrite Root in Hu. destruct Hu as [<-|[]]. unfold correlation.
      rewrite (sum_ext 1 n _ (fun i => 0 * s i)) by (intros; ring). rewrite sum_scal. lra.
    + rewrite average_const, sum_0. lra.
  - destruct (links (S K) ltac:(lia)) as [l [Len [Nrm Step]]].
    destruct (Step u0 U0) as [v0 [V0 In0]]. replace (S K - 1)%nat with K in * by lia.
    destruct IH as [B [HB AB]]; [lia | now exists v0 |].
    exists (fun s => B s + best n l s). split.
    + intros s u U. destruct (Step u U) as [v [V Hin]]. pose proof (HB s v V) as H1.
      pose proof (best_above n l s _ Hin) as H2. unfold correlation in H2 at 1.
      rewrite (sum_ext 1 n _ (fun i => s i * u i - s i * v i)) in H2 by (intros; ring).
      rewrite sum_minus in H2. unfold correlation in *. lra.
    + rewrite (average_plus n B), sum_1. apply Rplus_le_compat; [assumption|].
      apply massart; try assumption.
      * intros E. rewrite E in In0. destruct In0.
      * apply Rle_trans with (ln (INR (length (centres (S K))))); [|apply Size; lia].
        apply ln_le; [|now apply le_INR]. apply lt_0_INR. destruct l; [destruct In0 | simpl; lia].
      * apply Rmult_le_pos; [left; exact Pn | apply pow2_ge_0].
Qed.

Theorem tree_bound r : rademacher_value n F r ->
  r <= e J + sum_range 1 J (fun j => d j * sqrt (2 * h j / INR n)).
Proof.
  intros [pick [HF ->]].
  destruct (Cover _ (HF (fun _ => 0))) as [u0 [Hu0 Du0]].
  destruct (chain J ltac:(lia)) as [B [HB AB]].
  { exists u0. split; [assumption|]. exists (pick (fun _ => 0)). now split. }
  apply div_le_l; [exact Pn|].
  apply Rle_trans with (average_signs n (fun s => INR n * e J + B s)).
  - apply average_le. intros s Hs. fold (correlation n s (pick s)).
    destruct (Cover _ (HF s)) as [u [Hu Du]].
    pose proof (correlation_residual s (pick s) u (e J) Hs Du ltac:(left; apply He; lia)).
    assert (U : useful J u) by (split; [assumption | now exists (pick s)]).
    pose proof (HB s u U). lra.
  - rewrite (average_plus n (fun _ => INR n * e J) B), average_const.
    rewrite Rmult_plus_distr_r, (Rmult_comm (e J)). apply Rplus_le_compat_l.
    eapply Rle_trans; [exact AB|]. rewrite <- sum_scal_r. apply sum_le. intros j Hj.
    pose proof (Hd j Hj) as D. right.
    replace (2 * h j * (INR n * d j ^ 2)) with ((d j * INR n) ^ 2 * (2 * h j / INR n)) by (field; lra).
    rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by (apply Rmult_le_pos; lra). ring.
Qed.
End tree.

(** Any covers: a parent is nearest to a member that the centre serves. *)
Theorem chaining_any (F : (nat -> R) -> Prop) J e h centres r :
  chain_of_covers n J e h F centres -> rademacher_value n F r ->
  r <= e J + sum_range 1 J (fun j => (e (j - 1)%nat + e j) * sqrt (2 * h j / INR n)).
Proof.
  intros [Root H] Hr.
  apply (tree_bound F J e h (fun j => e (j - 1)%nat + e j) centres); try assumption.
  - intros j Hj. now apply H.
  - apply H. lia.
  - intros j Hj. apply H; lia.
  - intros j Hj. destruct (H j ltac:(lia)) as [A _]. destruct (H (j - 1)%nat ltac:(lia)) as [B _]. lra.
  - intros j u Hj [Hu [g [Fg Dg]]]. destruct (H (j - 1)%nat ltac:(lia)) as [_ [C _]].
    destruct (C g Fg) as [v [Hv Dv]]. exists v. split; [split; [assumption | now exists g]|].
    pose proof (distance_triangle u g v) as T. rewrite (distance_symmetric u g) in T. lra.
Qed.

(** Internal covers: a parent is nearest to the centre itself. *)
Theorem chaining_internal (F : (nat -> R) -> Prop) J e h centres r :
  chain_of_covers n J e h F centres ->
  (forall j u, (1 <= j <= J)%nat -> In u (centres j) -> F u) -> rademacher_value n F r ->
  r <= e J + sum_range 1 J (fun j => e (j - 1)%nat * sqrt (2 * h j / INR n)).
Proof.
  intros [Root H] Internal Hr.
  apply (tree_bound F J e h (fun j => e (j - 1)%nat) centres); try assumption.
  - intros j Hj. now apply H.
  - apply H. lia.
  - intros j Hj. apply H; lia.
  - intros j Hj. destruct (H (j - 1)%nat ltac:(lia)) as [B _]. lra.
  - intros j u Hj [Hu _]. destruct (H (j - 1)%nat ltac:(lia)) as [_ [C _]].
    pose proof (Internal j u Hj Hu) as Fu. destruct (C u Fu) as [v [Hv Dv]].
    exists v. split; [split; [assumption | now exists u] | assumption].
Qed.
End sample.

(** ** The statements *)

Lemma split_root n a h : (1 <= n)%nat -> 0 <= h -> a * sqrt (2 * h / INR n) = sqrt 2 * a * sqrt h / sqrt (INR n).
Proof.
  intros Hn Hh. assert (Pn : 0 < INR n) by (apply lt_0_INR; lia).
  rewrite sqrt_div_alt by assumption. rewrite sqrt_mult by lra.
  assert (0 < sqrt (INR n)) by (now apply sqrt_lt_R0). field. lra.
Qed.

Theorem G3 : Statements.G3.
Proof.
  intros r J n h scale _ Hn Hh Hs [_ [F [centres [C R]]]].
  eapply Rle_trans; [apply (chaining_any n Hn F J _ h centres r C R)|].
  apply Rplus_le_compat_l, sum_le. intros j Hj. right. replace (j - 1 + 1)%nat with j by lia.
  rewrite split_root by (try assumption; apply Rge_le, Hh). now rewrite (Rplus_comm (scale j)).
Qed.

Theorem G3_internal : Statements.G3_internal.
Proof.
  intros r J n h scale _ Hn Hh Hs [_ [F [centres [C [I R]]]]].
  eapply Rle_trans; [apply (chaining_internal n Hn F J _ h centres r C I R)|].
  apply Rplus_le_compat_l, sum_le. intros j Hj. right. replace (j - 1 + 1)%nat with j by lia.
  rewrite split_root by (try assumption; apply Rge_le, Hh). unfold Rdiv. ring.
Qed.

Theorem MASSART : Statements.MASSART.
Proof.
  intros r h radius n Hh Hr Hn [_ [l [Hl [Len [Rad [pick [Hpick ->]]]]]]].
  assert (Pn : 0 < INR n) by (apply lt_0_INR; lia).
  apply div_le_l; [assumption|].
  apply Rle_trans with (average_signs n (best n l)).
  - apply average_le. intros s _. apply (best_above n l s (pick s)), Hpick.
  - eapply Rle_trans; [apply (massart n l (INR n * radius ^ 2) h Hl Len)|].
    + apply Rmult_le_pos; [lra | apply pow2_ge_0].
    + intros a Ha. pose proof (Rad a Ha) as D. pose proof (sum_of_distance n Hn a (fun _ => 0)) as E.
      cbv beta in E. rewrite (sum_ext 1 n _ (fun i => (a i - 0) ^ 2)) by (intros; ring). rewrite E.
      apply Rmult_le_compat_l; [lra|]. apply pow_incr. split; [apply distance_nonneg | assumption].
    + right. replace (2 * h * (INR n * radius ^ 2)) with ((radius * INR n) ^ 2 * (2 * h / INR n)) by (field; lra).
      rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by (apply Rmult_le_pos; lra).
      rewrite (split_root n (radius * INR n) h Hn) by lra.
      assert (0 < sqrt (INR n)) by (now apply sqrt_lt_R0). field. lra.
Qed.

Theorem MASSART_cosh : Statements.MASSART_cosh.
Proof. intros x. unfold cosh. apply cosh_bound. Qed.

Theorem MASSART_least : Statements.MASSART_least.
Proof.
  intros lam h Hl Hh. rewrite <- sqrt_mult by lra. apply sqrt_le_of_square.
  - assert (0 < h / lam) by (apply Rdiv_lt_0_compat; lra). lra.
  - replace ((lam / 2 + h / lam) ^ 2) with ((lam / 2 - h / lam) ^ 2 + 2 * h) by (field; lra).
    pose proof (pow2_ge_0 (lam / 2 - h / lam)). lra.
Qed.
