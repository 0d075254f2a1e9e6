(** * U4: Kraft's inequality for the staircase envelopes. *)

From Coq Require Import Reals List ZArith Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers Prices.
From Majorant Require Statements.
Import ListNotations.
Open Scope R_scope.

(** ** Sums over lists without repetition *)

Fixpoint total {A} (f : A -> R) (l : list A) : R :=
  match l with [] => 0 | x :: t => f x + total f t end.

Lemma total_app {A} (f : A -> R) l m : total f (l ++ m) = total f l + total f m.
Proof. induction l as [|x l IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma total_map {A B} (f : B -> R) (g : A -> B) l : total f (map g l) = total (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity | now rewrite IH]. Qed.

Lemma total_scal {A} c (f : A -> R) l : total (fun x => c * f x) l = c * total f l.
Proof. induction l as [|x l IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma total_nonneg {A} (f : A -> R) l : (forall x, 0 <= f x) -> 0 <= total f l.
Proof. intros H. induction l as [|x l IH]; simpl; [lra | specialize (H x); lra]. Qed.

Lemma total_incl {A} (f : A -> R) l : (forall x, 0 <= f x) -> NoDup l ->
  forall m, incl l m -> total f l <= total f m.
Proof.
  intros Hf. induction 1 as [|x l Hx _ IH]; intros m Hm; simpl; [now apply total_nonneg|].
  destruct (in_split x m) as [m1 [m2 ->]]; [apply Hm; simpl; auto|].
  assert (I : incl l (m1 ++ m2)).
  { intros y Hy. assert (In y (m1 ++ x :: m2)) as K by (apply Hm; simpl; auto).
    apply in_app_iff in K. apply in_app_iff. destruct K as [K|[K|K]]; auto. now subst. }
  specialize (IH _ I). rewrite total_app in *. simpl. lra.
Qed.

Lemma total_flat_map {A B} (f : B -> R) (g : A -> list B) l :
  total f (flat_map g l) = total (fun x => total f (g x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity | now rewrite total_app, IH]. Qed.

Lemma total_ext {A} (f g : A -> R) l : (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof.
  induction l as [|x l IH]; intros H; simpl; [reflexivity|].
  rewrite (H x) by (simpl; auto). f_equal. apply IH. intros. apply H. simpl. auto.
Qed.

Lemma sum_is_total a b f : sum_range a b f = total f (indices a b).
Proof. unfold sum_range. induction (indices a b) as [|i l IH]; simpl; [reflexivity | now rewrite IH]. Qed.

(** ** Weights of drops and of first levels *)

Lemma total_drops n : total grid_weight (seq 0 (S n)) <= 1.
Proof.
  replace (seq 0 (S n)) with (indices 0 n) by (unfold indices; f_equal; lia).
  rewrite <- sum_is_total. unfold grid_weight. rewrite weights_telescope. pose proof (pos_INR n).
  assert (0 < 1 / (INR n + 2)) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Lemma grid_weight_nonneg d : 0 <= grid_weight d.
Proof. unfold grid_weight. pose proof (pos_INR d). left. apply Rdiv_lt_0_compat; nra. Qed.

Definition first_weight (z : Z) : R := 2 / 3 * grid_weight (Z.abs_nat z).

Lemma first_weight_nonneg z : 0 <= first_weight z.
Proof. unfold first_weight. pose proof (grid_weight_nonneg (Z.abs_nat z)). lra. Qed.

(** The integers [z] with [|z| <= n]. *)
Definition integers (n : nat) : list Z :=
  map Z.of_nat (seq 0 (S n)) ++ map (fun i => - Z.of_nat i)%Z (seq 1 n).

Lemma in_integers n z : (Z.abs_nat z <= n)%nat -> In z (integers n).
Proof.
  intros H. apply in_app_iff. destruct (Z_le_gt_dec 0 z) as [P|P]; [left|right]; apply in_map_iff;
    exists (Z.abs_nat z); (split; [lia | apply in_seq; lia]).
Qed.

Lemma total_integers n : total first_weight (integers n) <= 1.
Proof.
  unfold integers. rewrite total_app, !total_map.
  assert (E : total grid_weight (seq 0 (S n)) = 1 / 2 + total grid_weight (seq 1 n)).
  { simpl. f_equal. unfold grid_weight. simpl. field. }
  rewrite (total_ext _ (fun i => 2 / 3 * grid_weight i) (seq 0 (S n)))
    by (intros i _; unfold first_weight; now rewrite Zabs2Nat.id).
  rewrite (total_ext _ (fun i => 2 / 3 * grid_weight i) (seq 1 n))
    by (intros i _; unfold first_weight; rewrite Zabs2Nat.abs_nat_spec, Z.abs_opp,
          <- Zabs2Nat.abs_nat_spec; now rewrite Zabs2Nat.id).
  rewrite !total_scal. pose proof (total_drops n). lra.
Qed.

(** ** Codes of staircases: a first level and the drops after it *)

Fixpoint drops_weight (ds : list nat) : R :=
  match ds with [] => 1 | d :: t => grid_weight d * drops_weight t end.

Lemma drops_weight_nonneg ds : 0 <= drops_weight ds.
Proof. induction ds as [|d t IH]; simpl; [lra|]. apply Rmult_le_pos; [apply grid_weight_nonneg | assumption]. Qed.

Definition code_weight (c : Z * list nat) : R := first_weight (fst c) * drops_weight (snd c).

Fixpoint drop_lists (n len : nat) : list (list nat) :=
  match len with
  | O => [[]]
  | S k => flat_map (fun d => map (cons d) (drop_lists n k)) (seq 0 (S n))
  end.

Lemma in_drop_lists n ds : Forall (fun d => (d <= n)%nat) ds -> In ds (drop_lists n (length ds)).
Proof.
  induction 1 as [|d t Hd _ IH]; cbn -[seq]; [auto|].
  apply in_flat_map. exists d. split; [apply in_seq; lia | now apply in_map].
Qed.

Lemma total_drop_lists n len : total drops_weight (drop_lists n len) <= 1.
Proof.
  induction len as [|len IH]; [simpl; lra|]. cbn -[seq]. rewrite total_flat_map.
  rewrite (total_ext _ (fun d => total drops_weight (drop_lists n len) * grid_weight d)).
  - rewrite total_scal. pose proof (total_drops n) as D.
    assert (0 <= total grid_weight (seq 0 (S n))) by (apply total_nonneg, grid_weight_nonneg).
    assert (0 <= total drops_weight (drop_lists n len)) by (apply total_nonneg, drops_weight_nonneg).
    nra.
  - intros d _. rewrite total_map. simpl. rewrite total_scal. ring.
Qed.

Definition box (n len : nat) : list (Z * list nat) :=
  flat_map (fun z => map (pair z) (drop_lists n len)) (integers n).

Lemma total_box n len : total code_weight (box n len) <= 1.
Proof.
  unfold box. rewrite total_flat_map.
  rewrite (total_ext _ (fun z => total drops_weight (drop_lists n len) * first_weight z)).
  - rewrite total_scal. pose proof (total_integers n) as I. pose proof (total_drop_lists n len) as D.
    assert (0 <= total first_weight (integers n)) by (apply total_nonneg, first_weight_nonneg).
    assert (0 <= total drops_weight (drop_lists n len)) by (apply total_nonneg, drops_weight_nonneg).
    nra.
  - intros z _. rewrite total_map. unfold code_weight. simpl. rewrite total_scal. ring.
Qed.

Lemma in_some_box len (l : list (Z * list nat)) : (forall c, In c l -> length (snd c) = len) ->
  exists n, incl l (box n len).
Proof.
  intros H.
  set (size := fun c : Z * list nat => Nat.max (Z.abs_nat (fst c)) (list_max (snd c))).
  exists (list_max (map size l)). intros c Hc.
  assert (B : (size c <= list_max (map size l))%nat).
  { pose proof (proj1 (list_max_le (map size l) _) (le_n _)) as F. rewrite Forall_forall in F.
    apply F, in_map, Hc. }
  set (top := list_max (map size l)) in *. destruct c as [z ds].
  change (Nat.max (Z.abs_nat z) (list_max ds) <= top)%nat in B. apply in_flat_map. exists z. split.
  - apply in_integers. lia.
  - apply in_map. rewrite <- (H (z, ds) Hc). simpl. apply in_drop_lists, list_max_le. lia.
Qed.

(** Kraft's inequality for codes of one length. *)
Theorem kraft len (l : list (Z * list nat)) : NoDup l -> (forall c, In c l -> length (snd c) = len) ->
  total code_weight l <= 1.
Proof.
  intros D H. destruct (in_some_box len l H) as [n I].
  apply Rle_trans with (total code_weight (box n len)); [|apply total_box].
  apply total_incl; try assumption. intros c. unfold code_weight.
  apply Rmult_le_pos; [apply first_weight_nonneg | apply drops_weight_nonneg].
Qed.

(** ** From real levels to codes *)

Definition drop (e : nat -> R) (j : nat) : nat := Z.to_nat (Int_part (e (j - 1)%nat - e j)).
Definition code (J : nat) (e : nat -> R) : Z * list nat :=
  (Int_part (e 1%nat), map (drop e) (indices 2 J)).

Lemma Int_part_IZR z : Int_part (IZR z) = z.
Proof. unfold Int_part. rewrite <- (tech_up (IZR z) (z + 1)); [lia | |]; rewrite plus_IZR; lra. Qed.

Section levels.
Variables (J : nat) (e : nat -> R).
Hypotheses (HJ : (1 <= J)%nat) (Hz : forall j, (1 <= j <= J)%nat -> exists z, e j = IZR z).
Hypothesis Hdown : forall j, (1 <= j)%nat -> e j <= e (j - 1)%nat.

Lemma drop_value j : (2 <= j <= J)%nat -> INR (drop e j) = e (j - 1)%nat - e j.
Proof.
  intros Hj. destruct (Hz j) as [a Ha]; [lia|]. destruct (Hz (j - 1)%nat) as [b Hb]; [lia|].
  pose proof (Hdown j ltac:(lia)) as D. unfold drop. rewrite Ha, Hb in *. rewrite <- minus_IZR, Int_part_IZR.
  apply le_IZR in D. rewrite INR_IZR_INZ, Z2Nat.id by lia. reflexivity.
Qed.

Lemma first_value : IZR (Int_part (e 1%nat)) = e 1%nat.
Proof. destruct (Hz 1) as [z ->]; [lia|]. now rewrite Int_part_IZR. Qed.

Lemma drops_exp m : (m <= J)%nat ->
  exp (- sum_range 2 m (fun j => ln ((1 + e (j - 1)%nat - e j) * (2 + e (j - 1)%nat - e j))))
  = drops_weight (map (drop e) (indices 2 m)).
Proof.
  intros Hm. unfold sum_range.
  assert (K : forall j, In j (indices 2 m) -> (2 <= j <= J)%nat) by (intros j Hj; apply in_indices in Hj; lia).
  induction (indices 2 m) as [|j l IH]; simpl; [rewrite Ropp_0; apply exp_0|].
  rewrite Ropp_plus_distr, exp_plus, IH by (intros; apply K; simpl; auto). f_equal.
  assert (Hj : (2 <= j <= J)%nat) by (apply K; simpl; auto).
  unfold grid_weight. rewrite (drop_value j Hj). pose proof (Hdown j ltac:(lia)).
  rewrite exp_Ropp, exp_ln by nra. field. split; nra.
Qed.

Lemma price_exp (N : R) : N > 0 ->
  exp (- ln (3 / 2) - ln ((1 + Rabs (e 1%nat)) * (2 + Rabs (e 1%nat))) - ln (1 + N)
       - sum_range 2 J (fun j => ln ((1 + e (j - 1)%nat - e j) * (2 + e (j - 1)%nat - e j))))
  = 1 / (1 + N) * code_weight (code J e).
Proof.
  intros HN. pose proof (Rabs_pos (e 1%nat)) as P. unfold code_weight, code, fst, snd.
  rewrite <- (drops_exp J (le_n J)). unfold Rminus. rewrite !exp_plus, !(exp_Ropp (ln _)), !exp_ln by nra.
  assert (F : first_weight (Int_part (e 1%nat))
              = 2 / 3 * (1 / ((1 + Rabs (e 1%nat)) * (2 + Rabs (e 1%nat))))).
  { unfold first_weight, grid_weight. do 2 f_equal.
    rewrite INR_IZR_INZ, Zabs2Nat.id_abs, abs_IZR, first_value. ring. }
  rewrite F. field. split; nra.
Qed.
End levels.

Lemma code_injective J e f : (1 <= J)%nat ->
  (forall j, (1 <= j <= J)%nat -> exists z, e j = IZR z) ->
  (forall j, (1 <= j <= J)%nat -> exists z, f j = IZR z) ->
  (forall j, (1 <= j)%nat -> e j <= e (j - 1)%nat) -> (forall j, (1 <= j)%nat -> f j <= f (j - 1)%nat) ->
  code J e = code J f -> forall j, (1 <= j <= J)%nat -> e j = f j.
Proof.
  intros HJ He Hf De Df E. unfold code in E. injection E as E1 E2.
  assert (Drops : forall j, (2 <= j <= J)%nat -> drop e j = drop f j).
  { intros j Hj. apply in_indices in Hj. revert Hj. induction (indices 2 J) as [|i l IH]; [contradiction|].
    simpl in E2. injection E2 as H1 H2. intros [->|Hi]; [assumption | now apply IH]. }
  induction j as [|j IH]; intros Hj; [lia|]. destruct (Nat.eq_dec j 0) as [->|Hj0].
  - rewrite <- (first_value J e HJ He), <- (first_value J f HJ Hf), E1. reflexivity.
  - pose proof (drop_value J e HJ He De (S j) ltac:(lia)) as A.
    pose proof (drop_value J f HJ Hf Df (S j) ltac:(lia)) as B. rewrite Drops in A by lia.
    replace (S j - 1)%nat with j in * by lia. rewrite IH in A by lia. lra.
Qed.

(** ** The statement *)

Theorem U4 : Statements.U4.
Proof.
  intros N J M e HN HJ HM Hdown [Hz Hne].
  assert (Down : forall k j, (1 <= k)%nat -> (1 <= j)%nat -> e k j <= e k (j - 1)%nat) by (intros; now apply Hdown).
  rewrite sum_is_total, (total_ext _ (fun k => 1 / (1 + N) * code_weight (code J (e k)))).
  2:{ intros k Hk. apply in_indices in Hk. apply price_exp; auto. intros j Hj. apply Down; lia. }
  rewrite total_scal. rewrite <- (total_map code_weight (fun k => code J (e k))).
  assert (K : total code_weight (map (fun k => code J (e k)) (indices 1 M)) <= 1).
  { apply (kraft (length (indices 2 J))).
    - assert (I : forall k l, (1 <= k < l)%nat -> (l <= M)%nat -> code J (e k) <> code J (e l)).
      { intros k l Hk Hl E. destruct (Hne k l Hk Hl) as [j [Hj N1]]. apply N1.
        apply (code_injective J (e k) (e l)); auto; intros i Hi; first [apply Hz; lia | apply Down; lia]. }
      assert (L : forall k, In k (indices 1 M) -> (1 <= k <= M)%nat) by (intros k; apply in_indices).
      pose proof (seq_NoDup (S M - 1) 1) as D. fold (indices 1 M) in D.
      induction D as [|k l Hk _ IH]; simpl; constructor.
      + rewrite in_map_iff. intros [i [E Hi]]. assert (i <> k) by (intros ->; contradiction).
        pose proof (L k ltac:(simpl; auto)). pose proof (L i ltac:(simpl; auto)).
        destruct (Nat.lt_ge_cases i k); [apply (I i k) | apply (I k i)]; auto; lia.
      + apply IH. intros i Hi. apply L. simpl. auto.
    - intros c Hc. apply in_map_iff in Hc. destruct Hc as [k [<- _]]. unfold code. apply map_length. }
  assert (0 < 1 / (1 + N)) by (apply Rdiv_lt_0_compat; lra). nra.
Qed.
